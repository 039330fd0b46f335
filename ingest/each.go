package ingest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/model"
)

// File is one file of a bundle as Each shows it.
type File struct {
	Path    string    // by which a snapshot cites it
	Content io.Reader // with the bytes whose lines a snapshot counts; nil for what is skipped or cannot be read
	Decoded bool      // it was UTF-16 and comes as UTF-8
}

// Each shows every file of a bundle, also in archives. visit is called by several goroutines; its error is that of reading the file. The
// problems say what could not be read, also because the deadline of ctx has passed; the error is that of a ctx that is cancelled.
func Each(ctx context.Context, b *Bundle, l Limits, visit func(File) error) ([]model.Problem, error) {
	var mu sync.Mutex
	var problems []model.Problem
	problem := func(p model.Problem) {
		mu.Lock()
		defer mu.Unlock()
		problems = append(problems, p)
	}
	err := b.tree.Walk(ctx, l.orDefaults().archive(), archive.Visitor{Problem: problem, Entry: func(e archive.Entry, content *bufio.Reader) {
		f := File{Path: e.Path}
		if e.Form == archive.File && content != nil {
			f.Content, f.Decoded = decoded(content)
		} else if e.Err != nil {
			problem(model.Problem{Severity: model.Failure, Path: e.Path, Message: cause(e.Err).Error()})
		}
		if err := visit(f); err != nil {
			problem(model.Problem{Severity: model.Failure, Path: e.Path, Message: "could not be read to its end: " + cause(err).Error()})
		}
	}})
	if errors.Is(err, context.DeadlineExceeded) {
		problem(timeIsUp("the bundle was read"))
		err = nil
	}
	return problems, err
}

// decoded is a file's text as UTF-8.
func decoded(content *bufio.Reader) (r io.Reader, wide bool) {
	head, _ := content.Peek(2) // an error comes again when it is read
	if order := utf16Of(head); order != nil {
		return order.NewDecoder().Reader(content), true
	}
	return content, false
}
