package archive

import (
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// unpack opens a compression. stated is the name of the file in it, when it says so. Whoever opened it closes it when it was read.
func (w *walker) unpack(packing string, r io.Reader) (plain *unpacked, stated string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("is damaged (%s): %v", packing, p)
		}
	}()
	plain = &unpacked{packing: packing}
	switch packing {
	case gzipPacking:
		var z *gzip.Reader
		if z, err = gzip.NewReader(r); err == nil {
			plain.r, stated = z, path.Base(path.Clean("/"+z.Name))
			if stated == "/" {
				stated = ""
			}
		}
	case bzip2Packing:
		if err = w.windows.charge(bzip2Window); err == nil {
			plain.r = bzip2.NewReader(r)
		}
	case xzPacking, zstdPacking:
		plain.free = w.windows.kept(packing)
		plain.d, err = w.windows.decoder(packing, plain.free)
		if err == nil {
			plain.r, err = plain.d, plain.d.Reset(r)
		}
	}
	if err != nil {
		plain.close()
		return nil, "", damage(packing, err)
	}
	return plain, stated, nil
}

// unpacked names the compression in its errors. A decoder that panics on hostile bytes gives an error instead.
type unpacked struct {
	r       io.Reader
	packing string
	d       decoder      // nil for one that holds no large window
	free    chan decoder // where it goes when it is closed
}

// close keeps the decoder for the next member; one that does not find room is forgotten.
func (u *unpacked) close() {
	if u.d == nil {
		return
	}
	select {
	case u.free <- u.d:
	default:
	}
	u.r, u.d = failing{io.ErrClosedPipe}, nil
}

func (u *unpacked) Read(p []byte) (n int, err error) {
	defer func() {
		if c := recover(); c != nil {
			n, err = 0, damage(u.packing, fmt.Errorf("the decoder gave up: %v", c))
		}
	}()
	n, err = u.r.Read(p)
	if err != nil && err != io.EOF {
		err = damage(u.packing, err)
	}
	return n, err
}

func damage(packing string, err error) error {
	var full *LimitError
	if errors.As(err, &full) || errors.Is(err, ErrTotal) {
		return err
	}
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, xz.ErrMemlimit) {
		return &LimitError{What: bytesText(window) + " for the window of a compressed file", Flag: "unpack it"}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("the %s data is cut off", packing)
	}
	return fmt.Errorf("the %s data is damaged: %w", packing, err)
}

// A few bytes can declare a window of 64 MiB, which the decoder allocates and clears before it has read a byte of content: 14,000 such
// members in 0.14 MB took 56 s. So a decoder is used again, and what is allocated anew is charged to a budget.

// decoder is a decompression that can begin anew with its window allocated.
type decoder interface {
	io.Reader
	Reset(io.Reader) error
}

// windows are the decoders that wait for a member, and the budget for new ones.
type windows struct {
	xz, zstd chan decoder
	left     allowance // bytes
}

const (
	bzip2Window  = 4 * 900_000 // what the decoder of the standard library allocates for each file: it cannot be used again
	windowBudget = 16 << 30    // of all windows that are allocated: 4,700 files of bzip2, or some seconds of clearing memory
)

func newWindows() *windows {
	// A reader of xz in xz holds two at a time, and so on to the limit of nesting.
	const most = 2 * maxReaders
	w := &windows{xz: make(chan decoder, most), zstd: make(chan decoder, most)}
	w.left.max = windowBudget
	return w
}

func (w *windows) kept(packing string) chan decoder {
	if packing == xzPacking {
		return w.xz
	}
	return w.zstd
}

// charge counts a window that is allocated. Its error says that the budget is used up.
func (w *windows) charge(n int) error {
	if w.left.spend(n) != nil {
		return &LimitError{What: bytesText(windowBudget) + " for the windows of compressed files together", Flag: "unpack them"}
	}
	return nil
}

// decoder gives one that waits, else a new one, which is charged with the largest window that it may allocate.
func (w *windows) decoder(packing string, free chan decoder) (decoder, error) {
	select {
	case d := <-free:
		return d, nil
	default:
	}
	if err := w.charge(window); err != nil {
		return nil, err
	}
	if packing == xzPacking {
		return xz.NewReader(nil, window)
	}
	// Of one goroutine, there is nothing to close.
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
}
