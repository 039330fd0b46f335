package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// progressDelay is how long reading may take before volpost says that it reads.
const progressDelay = time.Second

// progress shows on a terminal how much of a bundle has been read. Its zero out shows nothing.
type progress struct {
	out     io.Writer
	started time.Time

	mu    sync.Mutex // readers may report from several goroutines
	shown time.Time
	width int // characters that the line shown last has
}

// newProgress shows progress only where a person watches.
func (a app) newProgress() *progress {
	p := &progress{started: time.Now()}
	if watched(a.stderr) {
		p.out = a.stderr
	}
	return p
}

// watched reports whether w is a character device. That is a terminal or /dev/null, and there a progress line harms
// nobody, so telling them apart is not worth a dependency.
func watched(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// update is told how many bytes of how many have been read; total is 0 while it is not known.
func (p *progress) update(done, total int64) {
	if p.out == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Sub(p.started) < progressDelay || now.Sub(p.shown) < progressDelay/10 {
		return
	}
	p.shown = now
	if total > 0 {
		p.show(fmt.Sprintf("reading %3d %% of %s", min(100, done*100/total), size(total)))
		return
	}
	p.show(fmt.Sprintf("reading, %s so far", size(done)))
}

// show writes over the line shown last, with blanks and not with a control sequence, which consoles of Windows print as
// text unless they are told not to.
func (p *progress) show(line string) {
	fmt.Fprintf(p.out, "\r%-*s", p.width, line)
	p.width = len(line)
}

// finish takes the line away.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out != nil && !p.shown.IsZero() {
		p.show("")
		fmt.Fprint(p.out, "\r")
	}
}
