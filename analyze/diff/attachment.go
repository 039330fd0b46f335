package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

type attachments []*model.AttachmentState

// attachments compares by name, which is made of volume, driver and node, and by UID, which shows a deletion in between.
func (c *comparison) attachments() {
	before, after := map[string]*model.AttachmentState{}, map[string]*model.AttachmentState{}
	for _, a := range c.before.attachments {
		before[a.Name] = a
	}
	for _, a := range c.after.attachments {
		after[a.Name] = a
	}
	var gone, come attachments
	for _, was := range c.before.attachments {
		if is := after[was.Name]; is != nil {
			c.sameName(was, is)
		} else {
			gone = append(gone, was)
		}
	}
	for _, is := range c.after.attachments {
		if before[is.Name] == nil {
			come = append(come, is)
		}
	}
	c.moved(c.certain(gone, come))
	slices.SortStableFunc(c.out.Attachments, func(a, b model.AttachmentChange) int {
		x, y := cmp.Or(a.Before, a.After), cmp.Or(b.Before, b.After)
		return cmp.Or(cmp.Compare(slices.Index(changeOrder, a.Change), slices.Index(changeOrder, b.Change)),
			cmp.Compare(x.Volume, y.Volume), cmp.Compare(x.Name, y.Name))
	})
}

// changeOrder is the order in which a reader needs the changes.
var changeOrder = []model.ChangeKind{
	model.ChangeMoved, model.ChangeAppeared, model.ChangeVanished, model.ChangeRecreated, model.ChangeChanged,
}

// certain keeps what surely appeared or vanished: only a list shows absence; what was created after the first collection appeared.
func (c *comparison) certain(gone, come attachments) (surelyGone, surelyCome attachments) {
	if c.after.listed {
		surelyGone = gone
	} else if len(gone) > 0 {
		c.cannotTell("The second%s: it is not known whether %s still there", c.after.noList(),
			words.Plural(len(gone), "VolumeAttachment of the first is", "VolumeAttachments of the first are"))
	}
	unknown := 0
	captured := c.before.captured()
	for _, is := range come {
		dated := captured != nil && captured.Basis == model.Observed && is.Created != nil
		if c.before.listed || dated && is.Created.Earliest.After(captured.Latest) {
			surelyCome = append(surelyCome, is)
		} else if !dated || !is.Created.Latest.Before(captured.Earliest) {
			unknown++
		}
	}
	if unknown > 0 {
		c.cannotTell("The first%s: it is not known whether %s there then", c.before.noList(),
			words.Plural(unknown, "VolumeAttachment of the second was", "VolumeAttachments of the second were"))
	}
	return surelyGone, surelyCome
}

// noList says why a side does not show what is absent.
func (s *Side) noList() string {
	if s.kind == "report" {
		return " is a report, which tells only of the VolumeAttachments of its incidents"
	}
	return " has no whole list of VolumeAttachments"
}

// moved pairs, for each volume, the one attachment that vanished with the one that appeared on another node.
func (c *comparison) moved(gone, come attachments) {
	wentFrom, cameTo, held := gone.byVolume(), come.byVolume(), attachments(c.after.attachments).byVolume()
	for _, was := range gone {
		to := cameTo[was.Volume]
		pair := was.Volume != "" && len(wentFrom[was.Volume]) == 1 && len(to) == 1
		if pair && to[0].Node != was.Node {
			c.attachment(model.ChangeMoved, was, to[0], "moved from %s to %s%s", node(was), node(to[0]), attachedText(to[0]))
			cameTo[was.Volume] = nil
			continue
		}
		requested := ""
		if was.DeletionRequested != nil {
			requested = "; its deletion was requested at " + model.Stamp(was.DeletionRequested.At)
		}
		c.attachment(model.ChangeVanished, was, nil, "was on %s, and is gone%s", node(was), requested)
	}
	for _, is := range come {
		if len(wentFrom[is.Volume]) == 1 && cameTo[is.Volume] == nil && is.Volume != "" {
			continue // reported as moved
		}
		others := ""
		for _, other := range held[is.Volume] {
			if other.Name != is.Name && is.Volume != "" {
				others += fmt.Sprintf(", while %s has one, too", node(other))
			}
		}
		c.attachment(model.ChangeAppeared, nil, is, "appeared on %s%s%s", node(is), attachedText(is), others)
	}
}

func (list attachments) byVolume() map[string]attachments {
	out := map[string]attachments{}
	for _, a := range list {
		out[a.Volume] = append(out[a.Volume], a)
	}
	return out
}

// sameName compares two that have one name.
func (c *comparison) sameName(was, is *model.AttachmentState) {
	if words.Differ(was.UID, is.UID) {
		c.attachment(model.ChangeRecreated, was, is, "was deleted on %s and created again%s", node(is), attachedText(is))
		return
	}
	var parts []string
	if was.Attached != model.Unknown && is.Attached != model.Unknown && was.Attached != is.Attached {
		parts = append(parts, fmt.Sprintf("attached was %s and is %s", was.Attached, is.Attached))
	}
	if c.before.kind == "bundle" && c.after.kind == "bundle" { // a report does not tell these
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
	c.attachment(model.ChangeChanged, was, is, "on %s: %s", node(is), strings.Join(parts, "; "))
}

func (c *comparison) attachment(kind model.ChangeKind, was, is *model.AttachmentState, format string, args ...any) {
	c.out.Attachments = append(c.out.Attachments, model.AttachmentChange{Change: kind, Before: was, After: is, Text: fmt.Sprintf(format, args...)})
}

func node(a *model.AttachmentState) string { return cmp.Or(a.Node, "an unknown node") }

func attachedText(a *model.AttachmentState) string {
	if a.Error != "" && a.Attached != model.True {
		return ", where it fails: " + a.Error
	}
	return words.If(a.Attached == model.True, ", attached") + words.If(a.Attached == model.False, ", not yet attached")
}
