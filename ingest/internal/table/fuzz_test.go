package table

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/model"
)

// FuzzRead: whatever is pasted, reading ends, every record and byte is accounted for, and every quote stands in the text.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	for _, file := range files {
		if arc, err := txtar.ParseFile(file); err == nil {
			f.Add(arc.Files[0].Data)
		}
	}
	f.Add([]byte("$ kubectl get pv a -o yaml\napiVersion: v1\nkind: PersistentVolume\n$ kubectl get pv b -o json\n{\n}\n"))
	f.Add([]byte("/dev/sdb on /var/lib/kubelet/plugins/kubernetes.io/csi/pv/p/globalmount type ext4 (rw) [l]\n/dev/sdb " +
		"/pods/00000000-0000-0000-0000-000000000000/volumes/kubernetes.io~csi/p/mount ext4 rw,relatime 0 0\n"))
	f.Add([]byte("  FileSystemResizePending True Mon, 01 Jan 0001 00:00:00 +0000 Mon, 08 Mar 2021 17:14:43 -0500 Waiting\n"))
	if text, err := os.ReadFile("read.go"); err == nil {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rest, objects := Split(text)
		for _, part := range [][]byte{rest, objects} {
			if part != nil && bytes.Count(part, []byte("\n")) != bytes.Count(text, []byte("\n")) {
				t.Fatal("a part has other lines than the whole")
			}
		}
		res := Read(bytes.NewReader(text), "p", Hint{})
		in := res.Input
		if in.Bytes != int64(len(text)) || in.Used+in.Skipped != in.Records || in.Used < 0 || in.Skipped < 0 {
			t.Fatalf("does not add up: %+v of %d bytes", in, len(text))
		}
		quotesStand(t, text, res)
		for _, o := range res.Observations {
			if o.Count < 1 || o.Kind == "" || o.Input != "p" {
				t.Fatalf("%+v", o)
			}
			for _, r := range []*model.Range{o.Age, o.LastAge} {
				if r != nil && (r.Min < 0 || r.Best < r.Min || r.Max < r.Best) {
					t.Fatalf("%s: age %+v", o.Kind, *r)
				}
			}
			if o.Kind == model.MultiAttach && o.Volume.IsZero() {
				t.Fatalf("of no volume: %q", o.Quote.Text)
			}
		}
	})
}

// BenchmarkRead reads a wide table of events.
func BenchmarkRead(b *testing.B) {
	row := "shop        7m20s       Warning   FailedAttachVolume   pod/db-0   Multi-Attach error for volume \"pv\" Volume is already " +
		"exclusively attached to one node and can't be attached to another\n"
	text := "NAMESPACE   LAST SEEN   TYPE      REASON               OBJECT     MESSAGE\n" + strings.Repeat(row, 1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if res := Read(strings.NewReader(text), "p", Hint{}); res.Input.Used != 1000 {
			b.Fatal(res.Input)
		}
	}
}

// BenchmarkSniff tells that prose is none of it.
func BenchmarkSniff(b *testing.B) {
	text := []byte(strings.Repeat("The pods of a StatefulSet come back under the same name, and its volumes follow them.\n", 700))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if Sniff(text, Hint{Path: "p"}) {
			b.Fatal("recognised")
		}
	}
}
