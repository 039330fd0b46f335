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

// unpack opens a compression. stated is the name of the file in it, when it says so.
func unpack(packing string, r io.Reader) (plain io.Reader, stated string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("is damaged (%s): %v", packing, p)
		}
	}()
	switch packing {
	case gzipPacking:
		var z *gzip.Reader
		if z, err = gzip.NewReader(r); err == nil {
			plain, stated = z, path.Base(path.Clean("/"+z.Name))
			if stated == "/" {
				stated = ""
			}
		}
	case bzip2Packing:
		plain = bzip2.NewReader(r)
	case xzPacking:
		plain, err = xz.NewReader(r, window)
	case zstdPacking:
		// Of one goroutine, there is nothing to close.
		plain, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
	}
	if err != nil {
		return nil, "", damage(packing, err)
	}
	return &unpacked{r: plain, packing: packing}, stated, nil
}

// unpacked names the compression in its errors. A decoder that panics on hostile bytes gives an error instead.
type unpacked struct {
	r       io.Reader
	packing string
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
	if errors.As(err, &full) {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("the %s data is cut off", packing)
	}
	return fmt.Errorf("the %s data is damaged: %w", packing, err)
}
