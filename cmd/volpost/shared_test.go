package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

// sharedReport is the report of a bundle as it was recorded, made once for all tests that read it.
type sharedReport struct {
	once   sync.Once
	text   []byte
	report *model.Report
}

var sharedReports sync.Map // of *sharedReport, by the name of the bundle

func shared(t testing.TB, name string, bundle func() fs.FS) ([]byte, *model.Report) {
	t.Helper()
	entry, _ := sharedReports.LoadOrStore(name, &sharedReport{})
	s := entry.(*sharedReport)
	s.once.Do(func() { s.text, s.report = explained(t, bundle(), name) })
	if s.report == nil {
		t.Fatalf("%s has no report", name)
	}
	return s.text, s.report
}

// ofSample is the report of a sample, which no test may change.
func ofSample(t testing.TB, name string) ([]byte, *model.Report) {
	t.Helper()
	return shared(t, samplePrefix+name, func() fs.FS { return sampleFiles(t, name) })
}

// explained is the report of a recording, which no test may change.
func (r recording) explained(t testing.TB) ([]byte, *model.Report) {
	t.Helper()
	return shared(t, r.name, func() fs.FS { return r.bundle })
}

// changedReports names the shared reports that a test changed.
func changedReports(reports *sync.Map) (changed []string) {
	reports.Range(func(name, entry any) bool {
		s := entry.(*sharedReport)
		var now bytes.Buffer
		if s.report != nil && (report.Write(&now, "json", s.report) != nil || !bytes.Equal(now.Bytes(), s.text)) {
			changed = append(changed, name.(string))
		}
		return true
	})
	return changed
}

// afterTests fails a run in which a test changed what others read.
func afterTests(code int) int {
	for _, name := range changedReports(&sharedReports) {
		fmt.Fprintf(os.Stderr, "a test changed the shared report of %s\n", name)
		code = 1
	}
	return code
}

// TestChangedReports: what a test changes in a report that others read is found, deep inside of it too.
func TestChangedReports(t *testing.T) {
	text, r := explained(t, sampleFiles(t, "handover"), "handover")
	var reports sync.Map
	reports.Store("handover", &sharedReport{text: text, report: r})
	reports.Store("not made", &sharedReport{})
	if changed := changedReports(&reports); len(changed) > 0 {
		t.Errorf("%v are as they were", changed)
	}
	r.Incidents[0].Phases[0].ID += "x"
	if changed := changedReports(&reports); len(changed) != 1 {
		t.Error("a phase with another name is not found")
	}
}
