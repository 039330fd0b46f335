package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// attachments compares by name, which is made of volume, driver and node, and by UID, which shows a deletion in between.
func (c *comparison) attachments() {
	before, after := c.before.named(), c.after.named()
	var gone, come []*model.AttachmentState
	for i := range c.before.Attachments {
		was := &c.before.Attachments[i]
		switch is := after[was.Name]; {
		case before[was.Name] != was: // a name that a side has twice counts once
		case is != nil:
			c.sameName(was, is)
		default:
			gone = append(gone, was)
		}
	}
	for i := range c.after.Attachments {
		if is := &c.after.Attachments[i]; after[is.Name] == is && before[is.Name] == nil {
			come = append(come, is)
		}
	}
	gone, come = c.certain(gone, come)
	c.moved(gone, come)
	slices.SortStableFunc(c.out.Attachments, func(a, b model.AttachmentChange) int {
		x, y := cmp.Or(a.Before, a.After), cmp.Or(b.Before, b.After)
		return cmp.Or(cmp.Compare(slices.Index(changeOrder, a.Change), slices.Index(changeOrder, b.Change)),
			cmp.Compare(x.Volume, y.Volume), cmp.Compare(x.Name, y.Name))
	})
}

// named are the attachments of a side by name.
func (s *Side) named() map[string]*model.AttachmentState {
	out := map[string]*model.AttachmentState{}
	for i := range s.Attachments {
		if a := &s.Attachments[i]; out[a.Name] == nil {
			out[a.Name] = a
		}
	}
	return out
}

// changeOrder is the order in which a reader needs the changes.
var changeOrder = []model.ChangeKind{
	model.ChangeMoved, model.ChangeAppeared, model.ChangeVanished, model.ChangeRecreated, model.ChangeChanged,
}

// certain keeps what surely appeared or vanished: only a list shows absence; what was created after the first collection appeared.
func (c *comparison) certain(gone, come []*model.AttachmentState) (surelyGone, surelyCome []*model.AttachmentState) {
	if c.after.Listed {
		surelyGone = gone
	} else if len(gone) > 0 {
		c.cannotTell("The %s: it is not known whether %s still there", c.after.noList("second"),
			words.Plural(len(gone), "VolumeAttachment of the first is", "VolumeAttachments of the first are"))
	}
	unknown := 0
	captured := c.before.captured()
	for _, is := range come {
		dated := captured != nil && captured.Basis == model.Observed && is.Created != nil
		switch {
		case c.before.Listed, dated && is.Created.Earliest.After(captured.Latest):
			surelyCome = append(surelyCome, is)
		case dated && is.Created.Latest.Before(captured.Earliest):
		default:
			unknown++
		}
	}
	if unknown > 0 {
		c.cannotTell("The %s: it is not known whether %s there then", c.before.noList("first"),
			words.Plural(unknown, "VolumeAttachment of the second was", "VolumeAttachments of the second were"))
	}
	return surelyGone, surelyCome
}

// noList says why a side does not show what is absent.
func (s *Side) noList(which string) string {
	if s.Kind == "report" {
		return which + " is a report, which tells only of the VolumeAttachments of its incidents"
	}
	return which + " has no whole list of VolumeAttachments"
}

// moved pairs, for each volume, the one attachment that vanished with the one that appeared on another node.
func (c *comparison) moved(gone, come []*model.AttachmentState) {
	wentFrom, cameTo := perVolume(gone), perVolume(come)
	for _, was := range gone {
		to := cameTo[was.Volume]
		pair := was.Volume != "" && len(wentFrom[was.Volume]) == 1 && len(to) == 1
		if pair && to[0].Node != was.Node {
			c.attachment(model.ChangeMoved, was, to[0], fmt.Sprintf("moved from %s to %s%s", node(was), node(to[0]), attachedText(to[0])))
			cameTo[was.Volume] = nil
			continue
		}
		c.attachment(model.ChangeVanished, was, nil, fmt.Sprintf("was on %s, and is gone%s", node(was), requestedText(was)))
	}
	held := perVolume(c.after.pointers())
	for _, is := range come {
		if len(wentFrom[is.Volume]) == 1 && cameTo[is.Volume] == nil && is.Volume != "" {
			continue // reported as moved
		}
		text := fmt.Sprintf("appeared on %s%s", node(is), attachedText(is))
		for _, other := range held[is.Volume] {
			if other.Name != is.Name && is.Volume != "" {
				text += fmt.Sprintf(", while %s has one, too", node(other))
			}
		}
		c.attachment(model.ChangeAppeared, nil, is, text)
	}
}

func (s *Side) pointers() []*model.AttachmentState {
	out := make([]*model.AttachmentState, 0, len(s.Attachments))
	for i := range s.Attachments {
		out = append(out, &s.Attachments[i])
	}
	return out
}

func perVolume(list []*model.AttachmentState) map[string][]*model.AttachmentState {
	out := map[string][]*model.AttachmentState{}
	for _, a := range list {
		out[a.Volume] = append(out[a.Volume], a)
	}
	return out
}

// sameName compares two that have one name.
func (c *comparison) sameName(was, is *model.AttachmentState) {
	if was.UID != "" && is.UID != "" && was.UID != is.UID {
		c.attachment(model.ChangeRecreated, was, is, fmt.Sprintf("was deleted on %s and created again%s", node(is), attachedText(is)))
		return
	}
	var parts []string
	if was.Attached != model.Unknown && is.Attached != model.Unknown && was.Attached != is.Attached {
		parts = append(parts, fmt.Sprintf("attached was %s and is %s", was.Attached, is.Attached))
	}
	if c.before.Kind == "bundle" && c.after.Kind == "bundle" { // a report does not tell these
		if was.DeletionRequested == nil && is.DeletionRequested != nil {
			parts = append(parts, "its deletion was requested at "+model.Stamp(is.DeletionRequested.At))
		}
		if was.Error != is.Error {
			parts = append(parts, words.If(is.Error == "", "its last error is cleared")+words.If(is.Error != "", "it fails now: "+is.Error))
		}
	}
	if len(parts) == 0 {
		c.out.AttachmentsSame++
		return
	}
	c.attachment(model.ChangeChanged, was, is, "on "+node(is)+": "+strings.Join(parts, "; "))
}

func (c *comparison) attachment(kind model.ChangeKind, was, is *model.AttachmentState, text string) {
	c.out.Attachments = append(c.out.Attachments, model.AttachmentChange{Change: kind, Before: was, After: is, Text: text})
}

func node(a *model.AttachmentState) string { return cmp.Or(a.Node, "an unknown node") }

func attachedText(a *model.AttachmentState) string {
	if a.Error != "" && a.Attached != model.True {
		return ", where it fails: " + a.Error
	}
	if a.Attached == model.True {
		return ", attached"
	}
	if a.Attached == model.False {
		return ", not yet attached"
	}
	return ""
}

func requestedText(a *model.AttachmentState) string {
	if a.DeletionRequested == nil {
		return ""
	}
	return "; its deletion was requested at " + model.Stamp(a.DeletionRequested.At)
}
