package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand writes the man pages. It is for those who package volpost, and hidden from everybody else.
func (a app) manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the man pages into a directory",
		Hidden: true,
		Args:   exactly("DIR"),
		RunE: working(func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return failf("making the directory of the man pages: %v", err).
					hinted("volpost man DIR writes into a directory that can be created or written to")
			}
			return a.writeManPages(c.Context(), root, args[0])
		}),
	}
}

// manMark is in every page, and in no page of another program.
const manMark = ".TH \"VOLPOST"

// writeManPages writes the page of a command and those of all below it.
func (a app) writeManPages(ctx context.Context, c *cobra.Command, dir string) error {
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := a.writeManPages(ctx, sub, dir); err != nil {
			return err
		}
	}
	page, err := a.manPage(c)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
	return a.writeFile(ctx, file, manMark, func(w io.Writer) error {
		_, err := w.Write(page)
		return err
	})
}

// manPage is one page. Its date is that of the commit, or none: the day on which it was written would make every build another one.
func (a app) manPage(c *cobra.Command) ([]byte, error) {
	c.DisableAutoGenTag = true
	c.InitDefaultHelpFlag()
	_, date := builtFrom()
	var page bytes.Buffer
	header := doc.GenManHeader{Section: "1", Source: "volpost " + a.version, Manual: "volpost", Date: &date}
	if err := doc.GenMan(c, &header, &page); err != nil {
		return nil, err
	}
	if date.IsZero() {
		return bytes.Replace(page.Bytes(), []byte(`"Jan 0001"`), []byte(`""`), 1), nil
	}
	return page.Bytes(), nil
}
