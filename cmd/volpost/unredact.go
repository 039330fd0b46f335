package main

import (
	"bytes"
	"context"
	"io"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/report/redact"
)

const unredactLong = `Gives the names back to what was written with --redact: a JSON report, or any text that was
rendered from it, such as a ticket's answer with pseudonyms in it.

JSON and CSV come back byte for byte. Of another text each name comes back that stands
whole in it; one that is cut off or broken over lines stays a pseudonym. To have all of
them, laid out again, render the JSON with volpost report.

FILE is a file, or - for standard input.`

const unredactExample = `  volpost analyze ./must-gather --redact --redact-map names.json -o json=report.json
  volpost unredact report.json --redact-map names.json > original.json
  volpost unredact answer.txt --redact-map names.json`

// maxText bounds a text that is given its names back.
const maxText = 256 << 20

func (a app) unredactCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "unredact FILE --redact-map KEY",
		Short:   "Give the names back to what was written with --redact",
		Long:    unredactLong,
		Example: unredactExample,
		Args:    exactly("FILE"),
	}, a.unredact, func(c *cobra.Command, f *flags) {
		c.Flags().StringVar(&f.key, "redact-map", "", "the key `FILE` that was written with the report")
		c.Flags().StringVarP(&f.output, "output", "o", "", "write a `FILE` instead of standard output")
	})
}

func (a app) unredact(ctx context.Context, args []string, f *flags) error {
	if f.key == "" {
		return usagef("unredact needs the key").hinted("--redact-map names the file that analyze --redact-map wrote")
	}
	file := args[0]
	key, err := readKey(f.key)
	if err != nil {
		return err
	}
	if err := a.checkTarget(target{file: f.output}, []string{file, f.key}); err != nil {
		return err
	}
	data, err := a.readText(file)
	if err != nil {
		return err
	}
	back, err := restored(data, key, f.key, file)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { _, err := w.Write(back); return err }
	if f.output == "" {
		return unprinted(write(a.stdout), "the text")
	}
	if err := a.writeFile(ctx, f.output, "", write); err != nil {
		return unwritten(err, "the text", "-o FILE writes it elsewhere")
	}
	return nil
}

// restored gives the names back: to a report by its fields, to any other text by its words.
func restored(data []byte, key *redact.Key, names, file string) ([]byte, error) {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) && bytes.Contains(data, []byte(`"redaction"`)) {
		r, err := decodeReport(bytes.NewReader(data), file)
		if err != nil {
			return nil, err
		}
		original, err := key.Report(r)
		if err != nil {
			return nil, otherKey(names, file)
		}
		var out bytes.Buffer
		if err := report.Write(&out, "json", original); err != nil {
			return nil, failf("writing the report: %v", err)
		}
		return out.Bytes(), nil
	}
	if !utf8.Valid(data) {
		return nil, failf("%s is not a text", file).hinted("names are given back to JSON, Markdown, CSV and other text")
	}
	text, err := key.Text(string(data))
	if err != nil {
		return nil, otherKey(names, file)
	}
	return []byte(text), nil
}

// readText reads a file, or standard input.
func (a app) readText(file string) ([]byte, error) {
	in, _, err := a.input(file, "name a file that was written with --redact")
	if err != nil {
		return nil, err
	}
	defer in.Close() // it was read only: closing can lose nothing
	data, err := io.ReadAll(io.LimitReader(in, maxText+1))
	if err != nil {
		return nil, failf("reading %s: %v", file, err)
	}
	if len(data) > maxText {
		return nil, failf("%s is longer than %d MiB", file, maxText>>20).hinted("give its parts one by one")
	}
	return data, nil
}
