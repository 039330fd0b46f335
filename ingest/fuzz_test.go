package ingest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// FuzzRead reads a bundle given as txtar: whatever it holds, every file is one input, every observation has its place,
// and a second reading gives the same.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"-- a.yaml --\napiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: n}\n",
		"-- mg/timestamp --\n2026-03-14 10:01:00.5 +0000 UTC m=+1\n-- mg/namespaces/n/core/events.yaml --\napiVersion: v1\nitems:\n" +
			"- metadata: {name: a.189c, namespace: n, uid: u}\n  message: x\n  reason: FailedAttachVolume\n  count: 3\nkind: EventList\n",
		"-- kcm.log --\nI0314 09:26:53.841223       1 reconciler.go:433] \"Multi-Attach error\" pods=[\"n/a\"] attachedTo=[\"x\"]\n",
		"-- b/meta.json --\n{}\n-- b/index --\nx\n-- b/chunks/1 --\nx\n-- x.json " +
			"--\n[{\"metadata\":{\"name\":\"a\"},\"spec\":{\"attacher\":\"d\"}}]\n",
		"-- namespaces/n/pods/p/c/c/logs/current.log --\n2026-03-14T09:26:53Z E0314 09:26:53.841223 1 csi_handler.go:1] x\n",
		"-- x --\n\x1f\x8b\n-- y --\n\x00\n-- z --\n\xff\xfea\x00\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<15 {
			return
		}
		fsys := bundleOf(string(data))
		bundle := OpenFS(fsys, "fuzz")
		defer bundle.Close()
		s, err := Read(context.Background(), bundle, Options{})
		var stopped *Error
		if errors.As(err, &stopped) {
			return // nothing could be read, or the names were no tree
		}
		if err != nil {
			t.Fatal(err)
		}
		check(t, s)
		second := OpenFS(fsys, "fuzz")
		defer second.Close()
		again, err := Read(context.Background(), second, Options{})
		if err != nil || describe(again) != describe(s) {
			t.Errorf("a second reading differs: %v", err)
		}
	})
}

func check(t *testing.T, s *model.Snapshot) {
	seen := map[string]bool{}
	for _, in := range s.Inputs {
		if seen[in.Path] || in.Used+in.Skipped != in.Records || in.Used < 0 || in.Skipped < 0 {
			t.Errorf("input %+v", in)
		}
		seen[in.Path] = true
	}
	for _, o := range s.Observations {
		if !seen[o.Source.Path] || o.Input != o.Source.Path || o.Source.Line < 1 || o.Count < 1 || o.Kind == "" {
			t.Errorf("observation without its place: %+v", o)
		}
		if o.Last.At.Before(o.At.At) || strings.ContainsRune(string(o.Kind), ' ') {
			t.Errorf("observation that ends before it begins: %+v", o)
		}
	}
	for i := 1; i < len(s.Observations); i++ {
		if s.Observations[i-1].Compare(&s.Observations[i]) > 0 {
			t.Errorf("observations out of order at %d", i)
		}
	}
}
