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
