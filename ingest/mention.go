package ingest

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/model"
)

// mentionBytes bounds a file that is looked through for words because nothing else is known of it. Saved pages are shorter.
const mentionBytes = 4 << 20

// mentionWords are words that are not put into a bundle by chance.
var mentionWords = [...]string{"Multi-Attach", "FailedAttachVolume", "VolumeAttachment"}

// mention is a line that speaks of a volume held elsewhere and was not understood.
type mention struct {
	path string
	line int
	word string
}

// mentions reads a file that holds such a word, such as a saved page. Programs in pods may write about anything.
func (p *part) mentions(r io.Reader) bool {
	if p.place.Pod != "" || p.place.Role == layout.Log {
		return false
	}
	data, err := io.ReadAll(io.LimitReader(r, mentionBytes+1)) // what was read before an error is as good
	if err != nil || len(data) > mentionBytes || bytes.IndexByte(data, 0) >= 0 || !holdsMention(data) {
		return false
	}
	p.paste(data)
	p.notUnderstood(data)
	return true
}

func holdsMention(data []byte) bool {
	return slices.ContainsFunc(mentionWords[:], func(w string) bool { return bytes.Contains(data, []byte(w)) })
}

// notUnderstood notes the first line with such a word in a file of which no line about volumes was understood.
func (p *part) notUnderstood(data []byte) {
	if slices.ContainsFunc(p.Observations, func(o model.Observation) bool {
		told := o.Kind == model.AuthorSaid && !strings.HasPrefix(o.Detail, model.SaidSuspected+": ")
		return !o.Volume.IsZero() || o.Attachment != "" || told
	}) {
		return
	}
	line := 0
	for text := range bytes.Lines(data) {
		line++
		for _, w := range mentionWords {
			if bytes.Contains(text, []byte(w)) {
				p.mention = &mention{path: p.input.Path, line: line, word: w}
				return
			}
		}
	}
}

// understand says what would make the files readable in which such a word was not understood. Beside a bundle with a wait they are talk.
func (r *reading) understand() {
	s := r.s
	severity := model.Warning
	if slices.ContainsFunc(s.Observations, func(o model.Observation) bool { return o.Kind == model.MultiAttach }) {
		severity = model.Info
	}
	for _, p := range r.parts {
		m := p.mention
		if m == nil {
			continue
		}
		s.Problems = append(s.Problems, model.Problem{Severity: severity, Path: m.path, Line: m.line, Message: fmt.Sprintf(
			"mentions %s but is not Kubernetes output that volpost understands; give what the cluster printed as it was printed: "+
				"the output of kubectl describe pod, of kubectl get events, or of kubectl get volumeattachment -o yaml below its command", m.word)})
		if severity == model.Warning {
			s.Unreadable = append(s.Unreadable,
				model.Unreadable{Path: m.path, Why: fmt.Sprintf("line %d mentions %s but is not Kubernetes output", m.line, m.word), Holds: model.HoldsProse})
		}
	}
}
