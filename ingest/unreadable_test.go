package ingest_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

// locked is a file system of which some paths may not be opened.
type locked struct {
	fstest.MapFS
	paths map[string]bool
}

func (l locked) Open(name string) (fs.File, error) {
	if l.paths[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.Open(name)
}

func (l locked) ReadDir(name string) ([]fs.DirEntry, error) {
	if l.paths[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.MapFS.ReadDir(name)
}

// TestUnreadable: what the system withholds is a problem with its path, and no list of it is called not collected.
func TestUnreadable(t *testing.T) {
	const (
		va  = "must-gather/img/cluster-scoped-resources/storage.k8s.io/volumeattachments"
		kcm = "must-gather/img/namespaces/openshift-kube-controller-manager/pods/kcm-a/kube-controller-manager/kube-controller-manager/logs/current.log"
		ns  = "must-gather/img/namespaces/prod"
	)
	files := fstest.MapFS{
		"must-gather/version": {Data: []byte("openshift/must-gather\n4.16.3\n")}, va + "/csi-1.yaml": {Data: []byte("kind: VolumeAttachment\n")},
		kcm:                    {Data: []byte("x\n")},
		ns + "/core/pods.yaml": {Data: []byte("kind: PodList\n")},
		"must-gather/img/cluster-scoped-resources/core/nodes/a.yaml": {Data: []byte("apiVersion: v1\nkind: Node\nmetadata: {name: a}\n")},
	}
	read := func(paths ...string) *model.Snapshot {
		l := locked{files, map[string]bool{}}
		for _, p := range paths {
			l.paths[p] = true
		}
		s, err := ingest.Read(context.Background(), ingest.OpenFS(l, "bundle"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := read(va, kcm, ns)
	want := []model.Unreadable{{Path: va, Why: "permission denied", Holds: "VolumeAttachment"},
		{Path: kcm, Why: "permission denied", Holds: "kube-controller-manager"}, {Path: ns, Why: "permission denied"}}
	if len(s.Unreadable) != len(want) {
		t.Fatalf("%+v", s.Unreadable)
	}
	for i, u := range s.Unreadable {
		if u.Path != want[i].Path || !strings.Contains(u.Why, "permission") || u.Holds != want[i].Holds {
			t.Errorf("%+v instead of %+v", u, want[i])
		}
		found := false
		for _, p := range s.Problems {
			found = found || p.Path == u.Path && p.Severity == model.Failure && strings.Contains(p.Message, u.Why)
		}
		if !found {
			t.Errorf("no problem says that %s was not read", u.Path)
		}
	}
	said := map[string]bool{}
	for _, m := range s.NotCollected {
		for _, what := range []string{"list of VolumeAttachments", "log of kube-controller-manager", "log of an external-attacher"} {
			if strings.Contains(m.What, what) {
				said[what] = strings.Contains(m.What, "could not be read (") && !strings.HasPrefix(m.What, "no ")
			}
		}
	}
	if !said["list of VolumeAttachments"] || !said["log of kube-controller-manager"] || said["log of an external-attacher"] {
		t.Errorf("%+v: %+v", said, s.NotCollected)
	}
	if open := read(); len(open.Unreadable) != 0 {
		t.Errorf("nothing is locked: %+v", open.Unreadable)
	}
}
