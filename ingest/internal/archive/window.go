package archive

import (
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

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
