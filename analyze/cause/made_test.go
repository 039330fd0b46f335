package cause_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// made is a case for one rule, written as words over what cases.Made has. Times are seconds after the first report:
//
//	NotReady=-100 Forced=10..40 Released=-   an instant, by bounds, or none
//	+Sampled From= Variant=used-by-pods      a field
//	phase:detach=0..60                       a phase; one after a slash is undivided, such as phase:release/detach=0..60
//	old:db-0 new:db-1                        pods of namespace prod
//	captured=500 over=-900..900              the collection; the log of a component covers a time, with its path before a slash
//	failed=30/text error=30/text             a failed detach; one more of the controller's failovers is failover=30
//	kind@node-a=30..60/text                  an observation; its place: a node, a VolumeAttachment csi-1, the volume pvc-1 or a pod prod/db-0
//
// A text has underscores for spaces. A text may end in ~component and in !source.
type made struct {
	name, words string
	do          func(*wait.Case)
}

// build makes the case.
func (m made) build(t *testing.T) *wait.Case {
	t.Helper()
	var told []*model.Observation
	var later []func(*wait.Case)
	version := "v1.34.0"
	var captured *model.Moment
	for word := range strings.FieldsSeq(m.words) {
		key, value, given := strings.Cut(word, "=")
		head, rest, _ := strings.Cut(key, ":")
		switch {
		case head == "+"+strings.TrimPrefix(key, "+"):
			later = append(later, func(c *wait.Case) { reflect.ValueOf(c).Elem().FieldByName(key[1:]).SetBool(true) })
		case head == "old" || head == "new":
			ref := model.Ref{Kind: "Pod", Namespace: "prod", Name: rest}
			later = append(later, func(c *wait.Case) {
				list := map[string]*[]model.Ref{"old": &c.OldPods, "new": &c.NewPods}[head]
				*list = append(*list, ref)
			})
		case head == "phase":
			id, undivided, divided := strings.Cut(rest, "/")
			from, to := bounds(t, value)
			p := model.Phase{ID: model.PhaseID(id), From: instant(from).Moment, To: instant(to).Moment}
			if divided {
				p.ID, p.Undivided = model.PhaseUndivided, []model.PhaseID{model.PhaseID(id), model.PhaseID(undivided)}
			}
			later = append(later, func(c *wait.Case) { c.Phases = append(c.Phases, p) })
		case key == "version":
			version = value
		case key == "captured":
			lo, hi := bounds(t, value)
			captured = new(model.Between(instant(lo).At, instant(hi).At))
		case key == "failover":
			lo, _ := bounds(t, value)
			later = append(later, func(c *wait.Case) {
				c.Failovers = append(c.Failovers, cases.At(lo, model.Observation{Kind: model.LeaderAcquired}))
			})
		case key == "failed":
			o := observation(t, "detach-failed", value)
			later = append(later, func(c *wait.Case) { c.DetachErrors = append(c.DetachErrors, o) })
		case strings.Contains(key, "@"):
			told = append(told, observation(t, key, value))
		case given:
			later = append(later, field(t, key, value))
		default:
			t.Fatalf("%s: the word %q", m.name, word)
		}
	}
	c := cases.Made(version, told...)
	c.Attachment = wait.Attachment{Name: "csi-1", Basis: model.NameLog}
	if captured != nil {
		over(c, func(s *model.Snapshot) { s.CapturedAt = captured })
	}
	c.Span = model.Span{From: c.Began.Moment, To: instant(900).Moment}
	for _, change := range later {
		change(c)
	}
	if m.do != nil {
		m.do(c)
	}
	return c
}

// namedAtOnce makes one report name all old pods.
func namedAtOnce(c *wait.Case) { c.Reports[0].Pods = c.OldPods }

// over makes the world of a case anew with more in it.
func over(c *wait.Case, change func(*model.Snapshot)) {
	s := *c.World.Snapshot
	change(&s)
	c.World = facts.NewWorld(&s)
	c.Volume = c.World.Volumes.Find(cases.PV)
}

func instant(seconds float64) facts.Instant {
	return cases.At(seconds, model.Observation{Kind: "made"})
}

// bounds are two numbers with two dots between them, or one twice.
func bounds(t *testing.T, text string) (lo, hi float64) {
	t.Helper()
	from, to, two := strings.Cut(text, "..")
	if !two {
		to = from
	}
	lo, err := strconv.ParseFloat(from, 64)
	if err != nil {
		t.Fatal(err)
	}
	if hi, err = strconv.ParseFloat(to, 64); err != nil {
		t.Fatal(err)
	}
	return lo, hi
}

// observation is one of a kind at a place.
func observation(t *testing.T, key, value string) *model.Observation {
	t.Helper()
	kind, place, _ := strings.Cut(key, "@")
	value, source, _ := strings.Cut(value, "!")
	value, component, _ := strings.Cut(value, "~")
	times, text, _ := strings.Cut(value, "/")
	lo, hi := bounds(t, times)
	o := model.Observation{Kind: model.Kind(kind), Detail: strings.ReplaceAll(text, "_", " "), Component: component, Volume: cases.PV}
	o.Source.Kind = model.SourceKind(source)
	switch {
	case strings.HasPrefix(place, "node-"):
		o.Node, o.Object = place, model.Ref{Kind: "Node", Name: place}
		if !strings.Contains(kind, "tach") && !strings.Contains(kind, "volume") && !strings.Contains(kind, "mount-") {
			o.Volume = model.VolumeID{}
		}
	case strings.HasPrefix(place, "csi-"):
		o.Attachment = place
	case strings.HasPrefix(place, "prod/"):
		o.Pod, o.Volume = model.Ref{Kind: "Pod", Namespace: "prod", Name: place[5:]}, model.VolumeID{}
	}
	seen := cases.Seen(lo, o)
	seen.Last = model.Exactly(instant(hi).At)
	return seen
}

// field sets a field of a case.
func field(t *testing.T, name, value string) func(*wait.Case) {
	t.Helper()
	return func(c *wait.Case) {
		f := reflect.ValueOf(c).Elem().FieldByName(name)
		switch {
		case !f.IsValid():
			t.Fatalf("a case has no %s", name)
		case f.Kind() == reflect.String:
			f.SetString(value)
		case value == "-":
			f.SetZero()
		default:
			lo, hi := bounds(t, value)
			i := instant(lo)
			if lo != hi {
				i.Moment = model.Between(i.At, instant(hi).At)
			}
			f.Set(reflect.ValueOf(i))
		}
	}
}

// result writes what a cause finds in a case, in whole.
func result(c *wait.Case, id string) string {
	n := slices.IndexFunc(cause.All(), func(k cause.Cause) bool { return k.ID == id })
	r := cause.All()[n].Check(c)
	if r.Verdict == "" {
		return "no"
	}
	quotes := func(list []*model.Observation) []*model.Observation {
		return slices.DeleteFunc(slices.Clone(list), func(o *model.Observation) bool { return o == nil })
	}
	r.For, r.Against = quotes(r.For), quotes(r.Against)
	return cases.Text(r)
}

// TestRules: rules of single causes, each with its near miss: a golden for each cause, with a line for each case.
func TestRules(t *testing.T) {
	answers := cases.Open(t, "rules")
	for _, id := range slices.Sorted(maps.Keys(rules)) {
		for _, m := range rules[id] {
			answers.Add(id, cases.Case{Name: m.name}, 1, result(m.build(t), id))
		}
	}
	answers.Close()
}

// TestOrder: which of several causes comes first, and how sure each of them is: a golden line for each case.
func TestOrder(t *testing.T) {
	answers := cases.Open(t, "order")
	for _, m := range orders {
		var l evidence.Ledger
		var out []string
		for _, k := range cause.Explain(m.build(t), &l) {
			out = append(out, fmt.Sprintf("%s %s of %s by %d, missing %q: %s", k.ID, k.Verdict, k.Explains, len(k.For), k.Missing, k.Summary))
		}
		answers.Add("order", cases.Case{Name: m.name}, 1, strings.Join(out, "; "))
	}
	answers.Close()
}
