package ingest

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	pathpkg "path"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/logfile"
	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// withheld notes a path that the system did not let be read. Damage and limits are no such thing.
func (p *part) withheld(path string, err error) {
	var system *fs.PathError
	if !errors.As(err, &system) {
		return
	}
	p.Unreadable = append(p.Unreadable, model.Unreadable{Path: path, Why: system.Err.Error(), Holds: promised(path, p.place)})
}

// promised is what a path says that a file or directory holds.
func promised(path string, place layout.Place) string {
	if c := logfile.ComponentOf(place.Container); c != "" {
		return c
	}
	if kind := manifest.KindOfPlural(place.Collection); kind != "" && place.Pod == "" {
		return kind
	}
	if kind := manifest.KindByName(pathpkg.Base(slashed(path))); kind != "" {
		return kind
	}
	path = strings.ToLower(path)
	for _, c := range []struct{ holds, word string }{
		{model.HoldsAudit, "audit"}, {"kube-controller-manager", "kube-controller-manager"}, {"external-attacher", "csi-attacher"},
		{"external-attacher", "external-attacher"}, {"kubelet", "kubelet"}, {model.HoldsMetrics, "metrics"}, {model.HoldsMetrics, "prometheus"},
	} {
		if strings.Contains(path, c.word) {
			return c.holds
		}
	}
	return ""
}

// sortUnreadable orders the paths and bounds their number.
func sortUnreadable(list []model.Unreadable) []model.Unreadable {
	slices.SortFunc(list, func(a, b model.Unreadable) int { return cmp.Compare(a.Path, b.Path) })
	list = slices.Compact(list)
	return list[:min(len(list), maxUnreadable)]
}

// couldNotRead rewrites what was not collected as what it is, when the path of something unreadable promises it.
func (c collectedSet) couldNotRead(m model.NotCollected, holds string) model.NotCollected {
	var paths []string
	why := ""
	for _, u := range c.Unreadable {
		if u.Holds == holds && holds != "" {
			paths, why = append(paths, u.Path), u.Why
		}
	}
	if len(paths) == 0 {
		return m
	}
	m.What = strings.TrimPrefix(m.What, "no ") + " could not be read (" + why + "): " + fewOf(paths)
	m.Command = "sudo chmod -R a+rX BUNDLE"
	return m
}

// clientErrors begin what kubectl, oc and the API server say instead of an answer. Collectors write it to the answer's file.
var clientErrors = []string{
	"Error from server (", "Error from server: ", "Unable to connect to the server: ", "The connection to the server ",
	"error: journal output not available", "error: the server doesn't have a resource type ", "error: You must be logged in to the server",
	"error: unable to read server version", "error: timed out waiting for ", "error: a container name must be specified ",
	"error: previous terminated container ", "error: unable to upgrade connection", "Unable to retrieve container logs for ",
	"failed to get logs", "error: couldn't get ", "error: no configuration has been provided",
}

// clientError reports a file that holds an error of its collector, and nothing else.
func (p *part) clientError(head []byte) {
	if len(head) > maxClientError || p.place.Pod != "" {
		return // a container may write whatever it likes
	}
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	if slices.ContainsFunc(clientErrors, func(e string) bool { return bytes.HasPrefix(line, []byte(e)) }) {
		p.problem(model.Warning, 1, "holds an error of whoever collected it instead of what its name "+
			"promises: "+string(bytes.ToValidUTF8(bytes.TrimSpace(line[:min(len(line), 300)]), nil)))
	}
}
