// Package reporttest has the reports that tests of several packages of report share.
package reporttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/schema"
)

// Schema is the schema of reports, with formats checked, as the library has it.
func Schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.JSON()))
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err == nil {
		err = c.AddResource("volpost-report-v1", doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("volpost-report-v1")
}

// Fixture is a report of the tests of the formats, as go test ./report -update writes it, for a test in a folder beside this one.
func Fixture(name string) *model.Report {
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", name+".json"))
	r := &model.Report{}
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err != nil {
		panic(err)
	}
	return r
}

// Many is one lost node with n volumes, each with the objects and quotes of the first incident of rich.
func Many(rich func() *model.Report, n int) *model.Report {
	r := rich()
	node, volume := r.Incidents[0].From.Node, r.Incidents[0].Volume.PersistentVolume
	group := model.Group{ID: "g", Title: fmt.Sprintf("Node %s was lost with %d volumes", node, n), Cause: model.CauseNodeDown, Node: node}
	r.Groups, r.Incidents, r.Timeline, r.Graph = nil, nil, nil, model.Graph{}
	for i := range n {
		one, suffix := rich(), fmt.Sprintf("-%d", i)
		in := one.Incidents[0]
		in.ID, in.Volume.PersistentVolume = "i"+suffix, volume+suffix
		in.Volume.Claim = &model.Ref{Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "data" + suffix}
		group.Incidents, r.Incidents = append(group.Incidents, in.ID), append(r.Incidents, in)
		for _, object := range one.Graph.Nodes {
			if object.Kind != "Node" {
				object.ID, object.Name = object.ID+suffix, object.Name+suffix
			}
			if object.Kind != "Node" || i == 0 {
				r.Graph.Nodes = append(r.Graph.Nodes, object)
			}
		}
		for _, e := range one.Graph.Edges {
			e.From += suffix
			if e.Relation != "on" && e.Relation != "scheduled-on" {
				e.To += suffix
			}
			r.Graph.Edges = append(r.Graph.Edges, e)
		}
		for _, t := range one.Timeline {
			t.ID, t.Incidents = t.ID+suffix, []string{in.ID}
			r.Timeline = append(r.Timeline, t)
		}
	}
	r.Groups = []model.Group{group}
	return r
}

var (
	inlinePart = regexp.MustCompile(`(?s)<(style|script)>.*?</(?:style|script)>`)
	inlineHash = regexp.MustCompile(`sha256-(?:[^&]|&#43;)*`)
)

// WithoutStyle is a page without the text of its style and script, which stand in files of their own: so that a change of
// theirs does not change every golden page. Their hashes have a test of their own.
func WithoutStyle(page string) string {
	if !strings.HasPrefix(page, "<!doctype html>") {
		return page
	}
	head, rest, _ := strings.Cut(page, "<title>")
	return inlineHash.ReplaceAllString(head, "sha256-…") + "<title>" + inlinePart.ReplaceAllString(rest, "<$1>…</$1>")
}

// Kept compares what write makes of the reports that package report keeps as JSON with what it keeps of them in another form; kind is "" for
// reports, and -diff or -fleet for these.
func Kept[T any](t *testing.T, kind, extension string, write func(io.Writer, *T) error) {
	t.Helper()
	for _, name := range []string{"rich", "none", "bare", "hostile"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "testdata", name+kind+".json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var of T
		var got bytes.Buffer
		if err == nil {
			err = json.Unmarshal(text, &of)
		}
		if err == nil {
			err = write(&got, &of)
		}
		want, unread := os.ReadFile(filepath.Join("..", "..", "testdata", name+kind+extension))
		if err := errors.Join(err, unread); err != nil {
			t.Fatal(err)
		}
		is, kept := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
		for i := range max(len(is), len(kept)) {
			if i >= len(is) || i >= len(kept) || is[i] != kept[i] {
				t.Errorf("%s%s%s differs at line %d: %.200q", name, kind, extension, i+1, is[min(i, len(is)-1)])
				break
			}
		}
	}
}
