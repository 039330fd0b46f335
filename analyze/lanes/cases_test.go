package lanes_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/lanes"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

var bundles = cases.Reader("../testdata", func(bundle fs.FS) (*model.Snapshot, error) {
	return ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{})
})

// TestCases: the lanes of every case, whole and without the statements of one kind, a golden for each role.
func TestCases(t *testing.T) {
	g := cases.Open(t, "lanes")
	for _, b := range cases.Thinner(bundles()) {
		w := facts.NewWorld(b.Snapshot)
		var written []model.Incident
		for n, c := range cases.Waits(w) {
			all := lanes.Of(c)
			byRole := map[model.LaneRole][]string{}
			in := model.Incident{}
			for _, l := range all {
				byRole[l.Role] = append(byRole[l.Role], text(l))
				sound(t, b.Name, l)
				in.Lanes = append(in.Lanes, model.Lane{Object: l.Object})
			}
			agreesWithPhases(t, b, c, all)
			written = append(written, in)
			for _, role := range roles {
				g.Add(string(role), b, n+1, strings.Join(byRole[role], " | "))
			}
		}
		if b.Without != "" {
			continue
		}
		var named []model.Ref
		for _, n := range w.Nodes {
			named = append(named, model.Ref{Kind: "Node", Name: n.Ref.Name})
		}
		for _, p := range w.Pods {
			named = append(named, p.Ref)
		}
		var apart []string
		for _, l := range lanes.Apart(w, written, named) {
			sound(t, b.Name, l)
			apart = append(apart, text(l))
		}
		g.Add("apart", b, 0, strings.Join(apart, " | "))
	}
	g.Close()
}

var roles = []model.LaneRole{model.RoleOldNode, model.RoleNewNode, model.RoleOldPod, model.RoleBlocking, model.RoleAttachment,
	model.RoleClaim, model.RoleVolume, model.RoleNewPod, model.RoleController, model.RoleAttacher}

// inPhase is what the attachment that blocks is in the middle of a phase.
var inPhase = map[model.PhaseID][]model.StateWord{
	model.PhaseRelease:     {model.StateAttached, model.StateBlocking},
	model.PhaseUnmountWait: {model.StateAttached, model.StateBlocking},
	model.PhaseDetach:      {model.StateDetaching, model.StateGone},
	model.PhaseAttach:      {model.StateDetaching, model.StateGone},
}

// agreesWithPhases holds the lanes against what the phases say of the same stretch.
func agreesWithPhases(t *testing.T, b cases.Case, c *wait.Case, all []*lanes.Lane) {
	t.Helper()
	for _, l := range lanes.Written(all, new(evidence.Ledger)) {
		for _, p := range c.Phases {
			want := inPhase[p.ID]
			middle := p.From.At.Add(p.To.At.Sub(p.From.At) / 2)
			if i := l.At(middle); l.Role == model.RoleBlocking && want != nil && i >= 0 && !l.Is(middle, want...) && p.To.At.Sub(p.From.At) > 2*time.Second &&
				(l.States[i].From == nil || l.States[i].From.Latest.Before(middle)) {
				t.Errorf("%s -%s: in %s the attachment is %s", b.Name, b.Without, p.ID, l.States[i].Word)
			}
			if p.ID == model.PhaseDetection && l.Role == model.RoleOldNode && p.From.Basis == model.Observed && !l.Is(middle, model.StateSilent, model.StateOutOfService) {
				t.Errorf("%s -%s: in %s the node is not silent", b.Name, b.Without, p.ID)
			}
		}
	}
}

// text is a lane in one line.
func text(l *lanes.Lane) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", l.Object.Kind, l.Object)
	if l.Node != "" {
		fmt.Fprintf(&b, " on %s", l.Node)
	}
	b.WriteByte(':')
	for _, s := range l.States {
		fmt.Fprintf(&b, " %s..%s %s", clock(s.From), clock(s.To), s.Word)
		if s.Reported != "" {
			fmt.Fprintf(&b, " (%s)", s.Reported)
		}
		if len(s.Marks) > 0 {
			fmt.Fprintf(&b, " %v", s.Marks)
		}
		fmt.Fprintf(&b, " %s %d;", s.From.Basis, len(s.From.Witness))
	}
	return b.String()
}

func clock(i facts.Instant) string {
	if !i.Known() {
		return ""
	}
	return i.At.UTC().Format("2T15:04:05.000")
}

// sound holds what is so of every lane.
func sound(t *testing.T, name string, l *lanes.Lane) {
	t.Helper()
	words := model.StateWords[l.Object.Kind]
	for i, s := range l.States {
		known := false
		for _, w := range words {
			known = known || w == s.Word
		}
		switch {
		case !known:
			t.Errorf("%s: %q is no state of a %s", name, s.Word, l.Object.Kind)
		case !s.From.Known() && i > 0:
			t.Errorf("%s: a state after the first begins at no time: %s", name, text(l))
		case s.From.Known() && len(s.From.Witness) == 0 && s.From.Basis == model.Observed:
			t.Errorf("%s: nothing tells a state that was seen: %s", name, text(l))
		case s.To.Known() && s.From.Known() && s.To.At.Before(s.From.At):
			t.Errorf("%s: a state ends before it begins: %s", name, text(l))
		case i > 0 && (!l.States[i-1].To.Known() || l.States[i-1].To.At.After(s.From.At)):
			t.Errorf("%s: two states overlap: %s", name, text(l))
		}
	}
}
