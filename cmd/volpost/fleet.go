package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report"
)

const fleetLong = `Sums up many JSON reports: incidents by cause, driver, version and cluster, how long each
phase took, the time lost, what the first remedy of each advice would have saved, and the
volumes that were blocked more than once.

REPORT is a JSON report that analyze wrote, a directory, whose .json files are all read, in
subdirectories too, or - for reports one after another on standard input. An incident that is
in several reports counts once, as the latest collection has it. Files that are not reports
are skipped and listed.

Exit code: 0 summed up; 1 failed, or no file was a report; 2 wrong usage.`

const fleetExample = `  volpost fleet reports/
  volpost fleet reports/ -o html >fleet.html
  jq -c . reports/*.json | volpost fleet - -o csv`

func (a app) fleetCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "fleet REPORT...",
		Short:   "Sum up many JSON reports",
		Long:    fleetLong,
		Example: fleetExample,
		Args:    atLeastOne("REPORT"),
	}, a.fleet, printing(report.Fleets.Names(), ""), redacting, timed)
}

func (a app) fleet(ctx context.Context, args []string, f *flags) error {
	var sum fleetSum
	timed, cancel := f.since(ctx, a.began)
	defer cancel()
	if err := sum.all(timed, args, a.stdin); err != nil {
		return err
	}
	result := sum.fleet.Result(a.version)
	if result.Reports == 0 {
		err := failf("none of %s is a report", words.Count(len(result.Skipped), "file"))
		if len(result.Skipped) > 0 {
			err = failf("none of %s is a report; %s %s", words.Count(len(result.Skipped), "file"), result.Skipped[0].Path, result.Skipped[0].Message)
		}
		return err.hinted("write reports with: volpost analyze BUNDLE -o json=FILE")
	}
	return answer(ctx, a, f, result, false, report.Fleets.Write)
}

// reportsBelow are the files that an argument names.
func reportsBelow(arg string) ([]string, error) {
	info, err := os.Stat(arg)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{arg}, nil
	}
	var out []string
	err = filepath.WalkDir(arg, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && strings.HasSuffix(path, ".json") {
			out = append(out, path)
		}
		return err
	})
	return out, err
}

// fleetSum adds reports, from several readers at once.
type fleetSum struct {
	mutex sync.Mutex
	fleet analyze.Fleet
}

// all adds the reports that the arguments name, as far as there is time.
func (s *fleetSum) all(ctx context.Context, args []string, stdin io.Reader) error {
	paths := []string{}
	for _, arg := range args {
		if arg == standardInput {
			if err := s.stream(ctx, stdin); err != nil {
				return failf("reading standard input: %v", err).hinted("give reports one after another, such as from jq -c")
			}
			continue
		}
		below, err := reportsBelow(arg)
		if err != nil {
			return failf("%v", err).hinted("name reports that were written with: volpost analyze BUNDLE -o json=FILE")
		}
		paths = append(paths, below...)
	}
	s.files(ctx, paths)
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	if ctx.Err() != nil {
		s.fleet.Skip(model.Problem{Severity: model.Failure, Path: ".",
			Message: "the limit of time (--max-time) is reached while the reports were read; what had been read by then counts"})
	}
	return nil
}

// take adds one report, or notes why it is none.
func (s *fleetSum) take(name string, data []byte, err error) {
	var r *model.FleetReport
	if err == nil {
		r, err = report.ReadFleet(data)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err != nil {
		s.fleet.Skip(model.Problem{Severity: model.Failure, Path: name, Message: err.Error()})
		return
	}
	r.Page = pageOf(name)
	s.fleet.Add(name, r)
}

// pageOf is what a reader opens of a report: the HTML of that name beside it, else the JSON; "" for none.
func pageOf(name string) string {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	page := strings.TrimSuffix(name, ".json") + ".html"
	if beside, err := os.Stat(page); err == nil && beside.Mode().IsRegular() {
		return page
	}
	return name
}

// files reads files on all cores. The sum does not depend on the order in which they end.
func (s *fleetSum) files(ctx context.Context, paths []string) {
	next := make(chan string)
	var readers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		readers.Go(func() {
			for path := range next {
				data, err := readFile(path)
				s.take(path, data, err)
			}
		})
	}
	for _, path := range paths {
		if ctx.Err() != nil {
			break
		}
		next <- path
	}
	close(next)
	readers.Wait()
}

// readFile reads a file that is no larger than a report can be.
func readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // it was read only: closing can lose nothing
	data, err := io.ReadAll(io.LimitReader(file, report.MaxBytes+1))
	if len(data) > report.MaxBytes {
		return nil, errors.New("is larger than a report can be")
	}
	return data, err
}

// stream adds reports that come one after another.
func (s *fleetSum) stream(ctx context.Context, in io.Reader) error {
	limited := &io.LimitedReader{R: in}
	reports := json.NewDecoder(limited)
	for n := 1; ctx.Err() == nil; n++ {
		limited.N = report.MaxBytes
		var one json.RawMessage
		err := reports.Decode(&one)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if limited.N <= 0 {
			return fmt.Errorf("report %d is larger than a report can be", n)
		}
		if err != nil {
			return fmt.Errorf("report %d: %w", n, err)
		}
		s.take(fmt.Sprintf("standard input, report %d", n), one, nil)
	}
	return nil
}
