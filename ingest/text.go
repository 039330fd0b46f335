package ingest

import (
	"bytes"
	"io"
	"slices"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/table"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// isText reports whether a file was pasted from a terminal, as far as its beginning shows.
func (p *part) isText(head []byte) bool {
	return table.Sniff(head, p.textHint()) || holdsObjects(head) || p.place.Pod == "" && holdsAnswers(head)
}

// textHint is what is known of a text before it is read.
func (p *part) textHint() table.Hint {
	return table.Hint{Path: p.input.Path, Namespace: p.place.Namespace,
		Verbatim: p.place.Pod != "" || p.place.Role == layout.Log, Taken: p.taken}
}

// holdsObjects reports whether objects stand below the commands that printed them.
func holdsObjects(head []byte) bool {
	_, objects := table.Split(head)
	return objects != nil
}

// text reads what was pasted from a terminal, with the objects and the clouds' answers in it.
func (p *part) text(r io.Reader, head []byte, size int64) {
	if contexts := table.Contexts(head); len(contexts) > 1 {
		p.held(r, size, func(data []byte) { p.ofContexts(data, contexts) })
		return
	} else if len(contexts) == 1 {
		p.context = contexts[0]
	}
	if !holdsObjects(head) && !holdsAnswers(head) {
		head = bytes.Clone(head) // reading overwrites it
		p.terminal(r)
		p.notUnderstood(head)
		return
	}
	p.held(r, size, p.paste)
}

// ofContexts reads what the commands of each context printed by itself: they can be of several clusters, which have nodes of one name.
func (p *part) ofContexts(data []byte, contexts []string) {
	for _, name := range append(contexts, "") {
		q := p.reading.newPart(p.input.Path+words.If(name != "", "!"+name), p.place)
		q.context = name
		if text := table.OfContext(data, name); len(bytes.TrimSpace(text)) > 0 {
			q.paste(text)
			p.pieces = append(p.pieces, q)
		}
	}
}

func (p *part) paste(data []byte) {
	*p.input = model.Input{Path: p.input.Path, Kind: model.InputText, Bytes: int64(len(data))}
	text, objects := table.Split(p.answers(data))
	before := *p.input
	p.terminal(bytes.NewReader(text))
	p.joined(before)
	if objects == nil {
		return
	}
	res := p.manifestLimits().Read(objects, p.input.Path, p.record)
	if len(res.Problems) == 0 || res.Used == res.Total {
		p.lists = res.Lists // else an object may have been lost
	}
	p.Problems = append(p.Problems, res.Problems...)
	p.input.Kind = model.InputText
	p.counts(res.Total, res.Used-p.refusedObjects)
}

// terminal reads tables, descriptions and messages.
func (p *part) terminal(r io.Reader) {
	hint := p.textHint()
	hint.Prose = !hint.Verbatim
	res := table.Read(r, p.input.Path, hint)
	p.gives(res.Input, res.Observations, res.Problems)
	p.Aged = append(p.Aged, res.Aged...)
}

// beside reads the text around the records of a log in a paste. Such a file is small: head is the whole of it, else nothing is read.
func (p *part) beside(head []byte) {
	if len(head) >= archive.HeadSize || !p.isText(head) && !isMarkdown(head) {
		return
	}
	log, problems := *p.input, p.Problems
	p.Problems = nil
	p.taken = func(line string) bool { return isLog([]byte(line)) }
	p.paste(head)
	text := *p.input
	*p.input = log
	p.counts(text.Records, text.Used)
	// The lines that are no text are the log's.
	p.Problems = append(problems, slices.DeleteFunc(p.Problems, func(b model.Problem) bool { return b.Severity == model.Info })...)
}

// isMarkdown reports that a person wrote around what is in a file: a fence or a heading begins a line of it.
func isMarkdown(head []byte) bool {
	text := append([]byte{'\n'}, head...)
	return bytes.Contains(text, []byte("\n```")) || bytes.Contains(text, []byte("\n# ")) || bytes.Contains(text, []byte("\n## "))
}

// placeAges turns ages in texts within a collection into instants. When another text was written, nothing shows it.
func (r *reading) placeAges() {
	s := r.s
	of := map[string]*model.Moment{} // input → when it was collected
	collected := s.Collected()
	for i := range s.Observations {
		o := &s.Observations[i]
		if o.Age == nil && o.LastAge == nil {
			continue
		}
		at, ok := of[o.Input]
		if !ok {
			at = r.collectedAt(o.Input, collected)
			of[o.Input] = at
		}
		if at != nil {
			table.Place(s.Observations[i:i+1], *at)
		}
	}
}

// collectedAt is when the collection ran that holds an input; nil when nothing shows it.
func (r *reading) collectedAt(input string, collected model.Collected) *model.Moment {
	if c := collected.Of(input); c != nil {
		return &c.CapturedAt
	}
	if len(r.captures) == 1 && r.captures[0].collection().Holds(input) {
		return r.s.CapturedAt
	}
	return nil
}
