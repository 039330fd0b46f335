package analyze

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// little reports that one of the parts of the full sentence is not known: the holder, the attachment, the time, or the cause.
func little(i model.Incident) bool {
	if byHand(i) != "" {
		return false
	}
	if i.Kind != "" || i.Causes[0].ID == model.CauseUnknown {
		return true
	}
	unnamed := i.BlockingAttachment.Name == nil && i.BlockingAttachment.NoneBecause == ""
	undated := i.MultiAttach.Began.Missing() != "" || fromAges(i)
	return unnamed || undated || i.From.Node == ""
}

// fromAges reports that the beginning counts back from a time that only stands for the collection's.
func fromAges(i model.Incident) bool { return i.MultiAttach.Began.Basis == model.Assumed }

// littleKnown says in two sentences what is known of a wait, and leaves out what is not.
func littleKnown(c *wait.Case, i model.Incident) (headline, why string) {
	waiting, _, _ := c.Waiting()
	what, behind := reason(c, i, waiting)
	headline = subject(c, i, waiting) + ": " + what
	unsaid := i.From.Node != "" && !strings.Contains(what, i.From.Node)
	used := i.Kind != model.KindForcedDetach && i.MultiAttach.Variant == model.UsedByPods
	if used && unsaid && wordCount(headline)+2 <= headlineWords {
		headline += words.If(strings.HasSuffix(headline, ", too"), ",") + " on " + i.From.Node
	}
	if wordCount(headline) > headlineWords {
		headline, behind = subject(c, i, waiting), joined("; ", words.Capital(what), behind)
	}
	return headline, sentences(words.Capital(behind), when(c, i))
}

// lateKnown is a wait of the past that its late VolumeAttachment shows: what held the volume before is inferred, or not known.
func lateKnown(c *wait.Case, i model.Incident) (headline, why string) {
	headline = fmt.Sprintf("%s: its VolumeAttachment was created only %s after the pod was scheduled",
		subject(c, i, c.NewPods), words.Seconds(c.Began.Until(c.NewAttachment.Moment).Best))
	before := "what held the volume before is not in the bundle"
	if c.From != "" && i.Causes[0].ID == model.CauseNodeDown {
		before = "likely it stayed attached to " + c.From + ", which was not Ready then"
	} else if c.From != "" {
		before = "likely it was attached to " + c.From + "; why it stayed there is not in the bundle"
	}
	if wordCount(headline) > headlineWords {
		headline = subject(c, i, c.NewPods) + ": its VolumeAttachment was created late"
	}
	return headline, sentences(words.Capital(before), "No report of it was collected")
}

// subject is who waits, or waited how long, for what.
func subject(c *wait.Case, i model.Incident, waiting []model.Ref) string {
	who, verb := "A pod", "waits"
	if len(waiting) > 0 {
		who = "Pod " + waiting[0].String()
	}
	if len(waiting) > 1 {
		who, verb = fmt.Sprintf("%s and %s", who, words.Plural(len(waiting)-1, "other", "others")), "wait"
	}
	what, long := volumeWords(i), ""
	if c.Ended().Known() {
		d := i.MultiAttach.Began.Until(*i.MultiAttach.Ended).Best
		verb = "waited" + words.If(d >= 1, " "+words.Seconds(d))
		if i.Span.Seconds.Best > d {
			long = words.If(words.Seconds(i.Span.Seconds.Best) != words.Seconds(d), words.Seconds(i.Span.Seconds.Best))
		}
	}
	if shownOver(c) {
		verb = "waited"
	}
	if begins := shortened(c.Volume.PersistentVolume); begins != "" && i.Volume.Claim == nil {
		what = "volume " + begins
	}
	if c.Taken {
		return words.Capital(what)
	}
	wantedBack := func(o *model.Observation) bool { return upstream.BeingDeleted(cmp.Or(o.Detail, o.Quote.Text)) } // on the same node
	if c.Stuck && c.From != "" && facts.Find(c.AttachFails(), wantedBack) != nil {
		return "A pod waits on " + c.From + " for " + what
	}
	if c.Stuck && (len(waiting) == 0 || !strings.HasSuffix(c.Volume.Claim.Name, "-"+waiting[0].Name)) { // no claim of a StatefulSet's pod
		return "Whoever wants " + what + " elsewhere waits"
	}
	if long != "" { // an incident has one length
		return who + " took " + long + " to get " + what + on(i.To.Node)
	}
	return who + " " + verb + on(i.To.Node) + " for " + what
}

// volumeWords name a volume: by its claim, which people gave a name, else by what is known.
func volumeWords(i model.Incident) string {
	name := i.Volume.PersistentVolume
	if i.Volume.Claim != nil && i.Volume.Claim.Name != "" {
		return "the volume of claim " + i.Volume.Claim.String()
	}
	if name != "" && !placeholder(name) {
		return "volume " + name
	}
	if name == "" && cmp.Or(i.Volume.UniqueName, i.Volume.VolumeHandle) != "" {
		return "volume " + cmp.Or(i.Volume.UniqueName, i.Volume.VolumeHandle)
	}
	return "a volume"
}

// toldApart is how much of a generated name tells it from others, as people shorten it.
const toldApart = 8

// shortened is the beginning of a volume's name that an author shortened at its end; "" of any other, and where too little is left.
func shortened(name string) string {
	begins := strings.TrimRight(name, ".…")
	cut := begins != name && placeholder(name)
	if !cut || placeholder(begins) || len(begins) < toldApart {
		return ""
	}
	return begins + "…"
}

// leftOut is what stands for a name, or for a part of one.
var leftOut = regexp.MustCompile(`(?i)\.\.|…|xxxx|^<`)

// placeholder is a name that an author shortened or left out.
func placeholder(name string) bool {
	return leftOut.MatchString(name)
}

// when dates the report as its source does: by its age as printed, which kubectl rounds down, a time of day, or a date.
func when(c *wait.Case, i model.Incident) string {
	for _, o := range c.Began.Witness {
		if o.Age != nil && c.Listed {
			what := "The pod was "
			if len(c.NewPods) == 0 {
				what = newAttachment(c) + " was "
			}
			return what + facts.AgePrinted(*o.Age) + " old when this was printed"
		}
		if o.LastAge != nil { // else rows with clocks tell no time of printing
			reported := "Reported " + facts.AgePrinted(*o.Age) + " before this was printed"
			if longer := c.Longer(*o.Age); longer != nil {
				reported += "; its pod has waited " + facts.AgePrinted(*longer.Age)
			}
			return reported
		}
	}
	// An Event without a time is assumed to be of the hour before the collection.
	if began := i.MultiAttach.Began; began.Basis == model.Assumed && (began.Missing() != model.NoYear || began.Latest.Sub(began.Earliest) >= facts.EventLife) {
		return ""
	}
	if c.Listed {
		return newAttachment(c) + " was created at " + since(i.MultiAttach.Began)
	}
	return "Reported at " + since(i.MultiAttach.Began)
}

// newAttachment is the VolumeAttachment for the node that waits.
func newAttachment(c *wait.Case) string {
	return "The VolumeAttachment for " + cmp.Or(c.To, "the wanted node")
}
