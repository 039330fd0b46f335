package mask

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
)

// Quote quotes a record without its secrets, and cuts it at a rune boundary when it is longer than model.MaxQuote. The hash is of the
// masked record: that of a line with a password would confirm a guess.
func Quote(record string) model.Quote {
	record = Text(record)
	sum := sha256.Sum256([]byte(record))
	q := model.Quote{Text: record, SHA256: hex.EncodeToString(sum[:])}
	if len(record) > model.MaxQuote {
		end := model.MaxQuote
		for end > model.MaxQuote-utf8.UTFMax && !utf8.RuneStart(record[end]) {
			end--
		}
		// A part of Masked would be taken for text of the source.
		if n := strings.LastIndex(record[:min(len(record), end+len(Masked)-1)], Masked); n >= 0 && n < end && n+len(Masked) > end {
			end = n
		}
		// The copy lets go of the long record.
		q.Text, q.Truncated = string([]byte(record[:end])), true
	}
	return q
}
