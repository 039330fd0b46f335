package ingest

import (
	"fmt"
	"io"

	"github.com/volpost/volpost/ingest/internal/cloud"
	"github.com/volpost/volpost/model"
)

// holdsAnswers reports whether a cloud's answers about machines and disks stand in a pasted text.
func holdsAnswers(head []byte) bool {
	_, pieces := cloud.Split(head)
	return pieces != nil
}

// cloudAnswer reads a file that is a cloud's answer, or an export of its audit log.
func (p *part) cloudAnswer(r io.Reader) {
	data := upTo(cloud.MaxBytes+1, r)
	if len(data) > cloud.MaxBytes {
		p.unread(fmt.Sprintf("is what a cloud says of its machines, and longer than the limit of %s for such a file", mib(cloud.MaxBytes)))
		return
	}
	p.said(cloud.Read(data, p.input.Path, 1))
}

// answers reads the clouds' answers in a paste, and returns the rest.
func (p *part) answers(data []byte) []byte {
	text, pieces := cloud.Split(data)
	for _, piece := range pieces {
		before := *p.input
		p.said(cloud.Read(piece.Text, p.input.Path, piece.Line))
		p.joined(before)
	}
	return text
}

// said takes what a cloud says.
func (p *part) said(res cloud.Result) {
	p.gives(res.Input, res.Observations, res.Problems)
	if res.Input.Records == 0 && len(res.Problems) == 0 {
		p.input.Kind = model.InputIgnored
	}
}

// joined adds to a file's account what an earlier reader had taken of it.
func (p *part) joined(before model.Input) {
	p.input.Bytes = max(p.input.Bytes, before.Bytes)
	p.counts(before.Records, before.Used)
	if before.From != nil && before.To != nil {
		p.input.Cover(*before.From, *before.To)
	}
}

// counts adds records to a file's account, of which some are used.
func (p *part) counts(records, used int) {
	in := p.input
	in.Records, in.Used, in.Skipped = in.Records+records, in.Used+used, in.Skipped+records-used
}
