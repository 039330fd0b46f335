// Command pack writes a directory as the one archive of a sample.
//
//	go run ./samples/pack DIR samples/NAME/bundle.zip
//
// The archive depends on names and contents only: entries are sorted and carry no times, owners or permissions, so that
// packing the same recording twice gives the same bytes.
package main

import (
	"archive/zip"
	"compress/flate"
	"fmt"
	"io"
	"io/fs"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack DIR FILE.zip")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// pack writes all regular files below dir to a new archive.
func pack(dir, file string) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	w := zip.NewWriter(out)
	w.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	if err := addAll(w, os.DirFS(dir)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Close()
}

// addAll copies the files in the order of fs.WalkDir, which is lexical.
func addAll(w *zip.Writer, from fs.FS) error {
	return fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		in, err := from.Open(name)
		if err != nil {
			return err
		}
		defer in.Close()
		member, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return err
		}
		_, err = io.Copy(member, in)
		return err
	})
}
