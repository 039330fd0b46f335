package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// OrderError says that two collections cannot be compared as they were given.
type OrderError struct{ Msg, Hint string }

func (e *OrderError) Error() string { return e.Msg }

// comparison is one comparison while it is made.
type comparison struct {
	before, after *Side
	out           *model.Diff
}

func (c *comparison) cannotTell(format string, args ...any) {
	c.out.CannotTell = append(c.out.CannotTell, fmt.Sprintf(format, args...))
}

// places are what the sides are called.
var places = [...]string{"first", "second"}

// Compare compares two collections, the older first. It refuses two clusters, unless forced, and the wrong order.
func Compare(before, after *Side, version string, oneCluster bool) (*model.Diff, error) {
	for i, s := range []*Side{before, after} {
		if n := len(s.report.Bundle.Clusters); n > 1 {
			return nil, &OrderError{fmt.Sprintf("the %s holds %d clusters: %s", places[i], n, strings.Join(s.report.Bundle.Clusters, ", ")),
				"compare the parts of one cluster"}
		}
	}
	same := sameCluster(before, after)
	if same.Value == model.False && oneCluster {
		same = model.SameAs{Value: model.Unknown, Text: "taken for one, although " + same.Text}
	} else if same.Value == model.False {
		return nil, &OrderError{"these are not shown to be of one cluster: " + same.Text,
			"compare two collections of one cluster; --same-cluster if they are"}
	}
	observed := func(m *model.Moment) bool { return m != nil && m.Basis == model.Observed }
	if a, b := before.captured(), after.captured(); observed(a) && observed(b) && b.Latest.Before(a.Earliest) {
		return nil, &OrderError{fmt.Sprintf("the second was collected at %s, before the first, at %s", model.Stamp(b.At), model.Stamp(a.At)),
			"name the older one first: volpost diff BEFORE AFTER"}
	}
	c := &comparison{before: before, after: after, out: &model.Diff{
		Schema: model.DiffVersion, Generator: model.Generator{Name: "volpost", Version: version},
		Before: before.digest(), After: after.digest(), Cluster: same,
		Attachments: []model.AttachmentChange{}, Incidents: []model.IncidentChange{}, Faults: []model.FaultChange{},
		CannotTell: []string{},
	}}
	c.order()
	c.attachments()
	c.incidents()
	c.faults()
	c.out.Headline = c.headline()
	return c.out, nil
}

// order says what is not known of the order.
func (c *comparison) order() {
	a, b := c.before.captured(), c.after.captured()
	if c.out.Cluster.Value == model.Unknown {
		c.cannotTell("Whether both are of one cluster: %s", c.out.Cluster.Text)
	}
	if a == nil || b == nil {
		c.cannotTell("Which of the two was collected first: nothing in one of them tells when it was collected. " +
			"They are taken in the order given")
	} else if b.At.Before(a.At) {
		c.cannotTell("Which of the two was collected first: the newest time in the second, %s, is before that of the first, %s. "+
			"They are taken in the order given", model.Stamp(b.At), model.Stamp(a.At))
	}
	for i, s := range []*Side{c.before, c.after} {
		for _, p := range s.report.Bundle.Problems {
			if p.CutsShort() {
				c.cannotTell("All of the %s: %s", places[i], p.Message)
			}
		}
		if s.report.Verdict.Status == model.StatusInsufficient {
			c.cannotTell("Whether there were incidents in the %s: no input of it could have shown one", places[i])
		}
	}
}

// headlines are what the headline counts: incidents, faults and attachments, by what became of them.
var headlines = []struct {
	of        string
	change    model.ChangeKind
	one, many string
}{
	{"incident", model.ChangeStillOpen, "incident is still open", "incidents are still open"},
	{"incident", model.ChangeNew, "incident is new", "incidents are new"},
	{"incident", model.ChangeEnded, "incident has ended", "incidents have ended"},
	{"incident", model.ChangeContradicted, "incident is told otherwise", "incidents are told otherwise"},
	{"incident", model.ChangeUncovered, "incident is not covered by both", "incidents are not covered by both"},
	{"fault", model.ChangeStillOpen, "fault is still there", "faults are still there"},
	{"fault", model.ChangeNew, "fault is new", "faults are new"},
	{"fault", model.ChangeEnded, "fault is no longer shown", "faults are no longer shown"},
	{"fault", model.ChangeUncovered, "fault is not covered by both", "faults are not covered by both"},
	{"attachment", model.ChangeMoved, "volume moved", "volumes moved"},
	{"attachment", model.ChangeAppeared, "VolumeAttachment appeared", "VolumeAttachments appeared"},
	{"attachment", model.ChangeVanished, "VolumeAttachment vanished", "VolumeAttachments vanished"},
	{"attachment", model.ChangeRecreated, "VolumeAttachment was created again", "VolumeAttachments were created again"},
	{"attachment", model.ChangeChanged, "VolumeAttachment changed", "VolumeAttachments changed"},
}

// headline is the answer in one sentence.
func (c *comparison) headline() string {
	counts := map[string]int{}
	for _, i := range c.out.Incidents {
		counts["incident "+string(i.Change)]++
	}
	for _, f := range c.out.Faults {
		counts["fault "+string(f.Change)]++
	}
	for _, a := range c.out.Attachments {
		counts["attachment "+string(a.Change)]++
	}
	var parts []string
	for _, h := range headlines {
		if n := counts[h.of+" "+string(h.change)]; n > 0 {
			parts = append(parts, words.Plural(n, h.one, h.many))
		}
	}
	text := "Nothing that both cover has changed"
	if len(parts) > 0 {
		text = words.Capital(strings.Join(parts, ", "))
	}
	if n := len(c.out.CannotTell); n > 0 {
		text += "; " + words.Plural(n, "thing is not known", "things are not known")
	}
	return text + "."
}

// faults compares the findings that somebody has to look at: those of one check about the same objects are one.
func (c *comparison) faults() {
	before, after := c.before.faults(), c.after.faults()
	add := func(f model.Finding, others []model.Finding, other *Side, change model.ChangeKind) {
		if slices.ContainsFunc(others, func(o model.Finding) bool { return o.ID == f.ID && firstObject(o) == firstObject(f) }) {
			change = model.ChangeStillOpen
		} else if other.report.Verdict.Status == model.StatusInsufficient {
			change = model.ChangeUncovered
		}
		if other == c.before || change != model.ChangeStillOpen { // what both have is told once
			c.out.Faults = append(c.out.Faults, model.FaultChange{ID: f.ID, Title: f.Title, Change: change, Objects: f.Objects, Text: f.Text})
		}
	}
	for _, f := range after {
		add(f, before, c.before, model.ChangeNew)
	}
	for _, f := range before {
		add(f, after, c.after, model.ChangeEnded)
	}
}

// firstObject is what a finding is about, without a UID, which a new object of the name changes.
func firstObject(f model.Finding) (of model.Ref) {
	if len(f.Objects) > 0 {
		of = f.Objects[0]
	}
	of.UID = ""
	return of
}

// sameCluster says whether both sides are of one cluster: by its identities, else by its Nodes.
func sameCluster(a, b *Side) model.SameAs {
	if a.key() != b.key() {
		return model.SameAs{Value: model.Unknown, Text: "a side has pseudonyms of its own in place of names"}
	}
	for _, kind := range []struct{ id, text string }{
		{model.IdentityOpenShift, "OpenShift's cluster id"}, {model.IdentityKubeSystem, "the UID of the namespace kube-system"},
	} {
		ofKind := func(s *Side) []string { // those of two kinds cannot contradict each other
			return slices.DeleteFunc(slices.Clone(s.report.Bundle.Identities), func(id string) bool { return !strings.HasPrefix(id, kind.id+"-") })
		}
		x, y := ofKind(a), ofKind(b)
		if len(x) == 0 || len(y) == 0 {
			continue
		}
		if slices.ContainsFunc(x, func(id string) bool { return slices.Contains(y, id) }) {
			return model.SameAs{Value: model.True, Text: kind.text + " is the same in both"}
		}
		return model.SameAs{Value: model.False, Text: kind.text + " is another one in each"}
	}
	return sameNodes(a, b)
}

// key is the key of a side's pseudonyms; "" where names stand as they are.
func (s *Side) key() string {
	if r := s.report.Redaction; r != nil {
		return "key " + r.Key
	}
	return ""
}

// sameNodes compares the Nodes and, if none are shared, the volumes: all nodes of a cluster can be replaced.
func sameNodes(a, b *Side) model.SameAs {
	same, others, names := 0, 0, 0 // Nodes of one name with one UID, with two, and with one that a report does not tell
	for name, uid := range a.nodes {
		if there, ok := b.nodes[name]; ok && (uid == "" || there == "") {
			names++
		} else if ok && uid == there {
			same++
		} else if ok {
			others++
		}
	}
	shared, theirs := a.volumes(), b.volumes()
	maps.DeleteFunc(shared, func(name string, _ bool) bool { return !theirs[name] })
	if same > 0 {
		return model.SameAs{Value: model.True, Text: "Nodes with the same UID are in both"}
	}
	if others > 0 && len(shared) == 0 {
		return model.SameAs{Value: model.False, Text: "Nodes of the same name are in both, and each has another UID, as in a cluster that was installed again"}
	}
	if names+len(shared) > 0 {
		return model.SameAs{Value: model.Unknown, Text: "nothing identifies it but the names of Nodes or volumes that are in both"}
	}
	return model.SameAs{Value: model.False, Text: "they share no Node and no volume, and nothing else in both identifies it"}
}

// volumes are the volumes of a side's VolumeAttachments, incidents and faults.
func (s *Side) volumes() map[string]bool {
	out := map[string]bool{}
	for _, a := range s.attachments {
		out[a.Volume] = true
	}
	for _, in := range s.report.Incidents {
		out[in.Volume.PersistentVolume] = true
	}
	for _, f := range s.faults() {
		for _, o := range f.Objects {
			if o.Kind == "PersistentVolume" || o.Kind == "PersistentVolumeClaim" {
				out[o.Name] = true
			}
		}
	}
	delete(out, "")
	return out
}
