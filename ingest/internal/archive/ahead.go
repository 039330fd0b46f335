package archive

import "io"

// Unpacking and reading share the work of two processors: while a log is read, its next bytes are unpacked.
const (
	aheadSize  = 256 << 10
	aheadCount = 4
)

// ahead reads a stream in a goroutine of its own.
type ahead struct {
	full  chan block
	empty chan []byte
	quit  chan struct{}
	cur   block
	at    int
}

type block struct {
	data []byte
	err  error
}

func readAhead(r io.Reader) *ahead {
	a := &ahead{full: make(chan block, aheadCount), empty: make(chan []byte, aheadCount), quit: make(chan struct{})}
	for range aheadCount {
		a.empty <- make([]byte, aheadSize)
	}
	go a.fill(r)
	return a
}

func (a *ahead) fill(r io.Reader) {
	defer close(a.full)
	for {
		var buf []byte
		select {
		case buf = <-a.empty:
		case <-a.quit:
			return
		}
		n, err := readSome(r, buf[:aheadSize])
		select {
		case a.full <- block{buf[:n], err}:
		case <-a.quit:
			return
		}
		if err != nil {
			return
		}
	}
}

// readSome fills buf, but answers what it has when the stream ends.
func readSome(r io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	return n, err
}

func (a *ahead) Read(p []byte) (int, error) {
	for a.at == len(a.cur.data) {
		if a.cur.err != nil {
			return 0, a.cur.err
		}
		if a.cur.data != nil {
			a.empty <- a.cur.data
		}
		a.cur, a.at = block{}, 0
		a.cur = <-a.full
	}
	n := copy(p, a.cur.data[a.at:])
	a.at += n
	return n, nil
}

// stop ends the goroutine and waits for it, so that nobody reads the stream any more.
func (a *ahead) stop() {
	close(a.quit)
	for range a.full { // drains until fill has closed it
	}
}
