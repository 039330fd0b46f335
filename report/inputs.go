package report

import (
	"fmt"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// inputSum adds up the inputs of one kind.
type inputSum struct {
	Kind                 string
	Files, Records, Used int
	Bytes                int64
	From, To             *time.Time
}

// inputSums adds up inputs by kind, in the order of first appearance.
func inputSums(inputs []model.Input) []inputSum {
	var out []inputSum
	at := map[string]int{}
	for _, in := range inputs {
		i, ok := at[in.Kind]
		if !ok {
			i = len(out)
			at[in.Kind] = i
			out = append(out, inputSum{Kind: in.Kind})
		}
		s := &out[i]
		s.Files++
		s.Records += in.Records
		s.Used += in.Used
		s.Bytes += in.Bytes
		if in.From != nil && (s.From == nil || in.From.Before(*s.From)) {
			s.From = in.From
		}
		if in.To != nil && (s.To == nil || in.To.After(*s.To)) {
			s.To = in.To
		}
	}
	return out
}

// Text says how much was read, and which time it covers.
func (s inputSum) Text() string {
	text := fmt.Sprintf("%s, %s, %s", words.Count(s.Files, "file"), words.Count(s.Records, "record"), bytesText(s.Bytes))
	if s.From != nil && s.To != nil {
		text += ", from " + dateAt(*s.From) + " to " + stampAt(*s.To)
	}
	return text
}

// bytesText writes a size with two digits or more.
func bytesText(n int64) string {
	switch {
	case n < 10_000:
		return number(n) + " bytes"
	case n < 10_000_000:
		return number((n+500)/1000) + " kB"
	}
	return number((n+500_000)/1_000_000) + " MB"
}
