package archive

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
)

// tar reads the members of a tar one after the other.
func (w *walker) tar(s stream, r io.Reader) {
	t := tar.NewReader(r)
	n := newNames(s.path)
	members := 0
	for w.ctx.Err() == nil && w.total.spend(0) == nil {
		h, err := nextHeader(t)
		if err == io.EOF {
			// The end of the tar is not yet that of the compression, which may show it to be damaged.
			if _, err = io.Copy(io.Discard, r); err == nil {
				if members == 0 {
					w.v.Entry(Entry{Path: s.path, Size: max(s.size, 0), Skipped: "is an empty archive"}, nil)
				}
				return
			}
		}
		if err != nil {
			w.damaged(s, members, tarError(err))
			return
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		read, more := w.tarMember(s, h, t, n)
		if !more {
			if members == 0 {
				w.refuse(s, w.entriesLimit())
			}
			return
		}
		if read {
			members++
		}
	}
	if members == 0 && w.ctx.Err() == nil {
		w.refuse(s, ErrTotal)
	}
}

// nextHeader is the next header; io.EOF at the end of the archive.
func nextHeader(t *tar.Reader) (h *tar.Header, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the tar data is damaged: %v", p)
		}
	}()
	return t.Next()
}

func tarError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the tar data is cut off")
	}
	if errors.Is(err, tar.ErrHeader) {
		return errors.New("the tar data is damaged: no header where one should be")
	}
	return err
}

// tarMember reads one member. It returns whether it read one, and false for more when the limit of entries is reached.
func (w *walker) tarMember(s stream, h *tar.Header, t *tar.Reader, n *names) (read, more bool) {
	p, again, more := w.named(n, h.Name, h.Typeflag == tar.TypeDir)
	if again || !more {
		return false, more
	}
	e := Entry{Path: p, Size: h.Size}
	switch h.Typeflag {
	case tar.TypeDir:
		e.Form, e.Size = Dir, 0
	case tar.TypeSymlink, tar.TypeLink:
		e.Form, e.Target, e.Size = Link, h.Linkname, 0
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		e.Form, e.Size = Special, 0
	default:
		if e.Skipped = added(p); e.Skipped == "" {
			w.member(s.inner(p, h.Size, t))
			return true, true
		}
	}
	w.v.Entry(e, nil)
	return true, true
}
