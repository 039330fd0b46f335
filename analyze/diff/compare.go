package diff

import (
	"fmt"
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
		if n := len(s.Report.Bundle.Clusters); n > 1 {
			return nil, &OrderError{fmt.Sprintf("the %s holds %d clusters: %s", places[i], n, strings.Join(s.Report.Bundle.Clusters, ", ")),
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
		for _, p := range s.Report.Bundle.Problems {
			if p.CutsShort() {
				c.cannotTell("All of the %s: %s", places[i], p.Message)
			}
		}
		if s.Report.Verdict.Status == model.StatusInsufficient {
			c.cannotTell("Whether there were incidents in the %s: no input of it could have shown one", places[i])
		}
	}
}

// headline is the answer in one sentence.
func (c *comparison) headline() string {
	incidents, attachments := map[model.ChangeKind]int{}, map[model.ChangeKind]int{}
	for _, i := range c.out.Incidents {
		incidents[i.Change]++
	}
	for _, a := range c.out.Attachments {
		attachments[a.Change]++
	}
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, words.Plural(n, one, many))
		}
	}
	add(incidents[model.ChangeStillOpen], "incident is still open", "incidents are still open")
	add(incidents[model.ChangeNew], "incident is new", "incidents are new")
	add(incidents[model.ChangeEnded], "incident has ended", "incidents have ended")
	add(incidents[model.ChangeContradicted], "incident is told otherwise", "incidents are told otherwise")
	add(incidents[model.ChangeUncovered], "incident is not covered by both", "incidents are not covered by both")
	faults := map[model.ChangeKind]int{}
	for _, f := range c.out.Faults {
		faults[f.Change]++
	}
	add(faults[model.ChangeStillOpen], "fault is still there", "faults are still there")
	add(faults[model.ChangeNew], "fault is new", "faults are new")
	add(faults[model.ChangeEnded], "fault is no longer shown", "faults are no longer shown")
	add(faults[model.ChangeUncovered], "fault is not covered by both", "faults are not covered by both")
	add(attachments[model.ChangeMoved], "volume moved", "volumes moved")
	add(attachments[model.ChangeAppeared], "VolumeAttachment appeared", "VolumeAttachments appeared")
	add(attachments[model.ChangeVanished], "VolumeAttachment vanished", "VolumeAttachments vanished")
	add(attachments[model.ChangeRecreated], "VolumeAttachment was created again", "VolumeAttachments were created again")
	add(attachments[model.ChangeChanged], "VolumeAttachment changed", "VolumeAttachments changed")
	text := "Nothing that both cover has changed"
	if len(parts) > 0 {
		text = words.Capital(strings.Join(parts, ", "))
	}
	if n := len(c.out.CannotTell); n > 0 {
		text += "; " + words.Plural(n, "thing is not known", "things are not known")
	}
	return text + "."
}
