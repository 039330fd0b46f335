package logline

import (
	"testing"
	"time"
)

// TestLogfmt: a driver's line is a record of its own with its time, and says nothing that a component says.
func TestLogfmt(t *testing.T) {
	const line = `level=error ts=2026-03-14T10:26:53.841223+01:00 component=api-volume-service msg="Multi-Attach error for volume" volume-id=1`
	for _, in := range []string{line, "[pod/p/c] " + line, "2026-03-14T09:26:54Z stderr F " + line, klogLine + "\n" + line} {
		got, _ := scanAll(in + "\n")
		if len(got) == 0 {
			t.Errorf("%q: no record", in)
			continue
		}
		r := got[len(got)-1]
		if r.Time.Format(time.RFC3339Nano) != "2026-03-14T09:26:53.841223Z" || r.File != "" || r.Message[:5] != `msg="` || r.Floating {
			t.Errorf("%q: %+v", in, r)
		}
	}
	for _, in := range []string{
		`level=info ts=2026-03-14T09:26:53Z caller=head.go:1 component=tsdb msg="x"`, // other programs name the caller
		`ts=2026-03-14T09:26:53Z level=info component=x msg="x"`,
		`level=info ts=2026-03-14 component=x msg="x"`,
		`level=loud ts=2026-03-14T09:26:53Z component=x msg="x"`,
		`level=info ts=2026-03-14T09:26:53Z component=x y msg="x"`,
		`level=info ts=2026-03-14T09:26:53Z component=x`,
		`log level=info ts=2026-03-14T09:26:53Z component=x msg="x"`,
	} {
		if got, _ := scanAll(in + "\n"); len(got) != 0 {
			t.Errorf("%q: %+v", in, got[0])
		}
	}
}
