package check

import (
	"fmt"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// belief is a popular account that is not what Kubernetes does, named where an incident contradicts it: people wait or act because of it.
type belief struct {
	id, title string
	doc       Doc
	// contradicted is what happened instead and why, with its witnesses; empty when the incident does not contradict it.
	contradicted func(*reconstruct.Case) (string, []*model.Observation)
}

// beliefRemedy: there is nothing to repair but the expectation.
const beliefRemedy = "Nothing to do: this belief is wrong, so do not wait or act because of it."

// beliefs are the accounts that are looked for.
var beliefs = []belief{statefulSetReplaces, evictionTimeout, forcedAfterLoss, nodeDeletionDetaches, attachmentDeletionFrees, secondAttachment}

// beliefChecks are the same as checks.
var beliefChecks = func() []Check {
	var out []Check
	for _, b := range beliefs {
		out = append(out, b.check())
	}
	return out
}()

func (b belief) check() Check {
	return Check{
		ID: b.id, Severity: "info", Title: b.title, Remedy: beliefRemedy, Doc: b.doc,
		Look: func(_ *reconstruct.World, cases []*reconstruct.Case) []Hit { return b.look(cases) },
	}
}

// look makes one finding of all incidents that contradict a belief, in the words of the first.
func (b belief) look(cases []*reconstruct.Case) []Hit {
	var hit Hit
	count := 0
	for _, c := range cases {
		text, shown := b.contradicted(c)
		if text == "" {
			continue
		}
		if count++; count == 1 {
			hit.Text = text
		}
		hit.Objects = append(hit.Objects, volumeRef(c.Volume.Key()))
		if count <= maxShown {
			hit.Shown = append(hit.Shown, shown...)
		}
	}
	if count == 0 {
		return nil
	}
	if count > 1 {
		hit.Text += fmt.Sprintf(" %s the same.", words.Plural(count-1, "other incident shows", "other incidents show"))
	}
	hit.Objects = withoutRepeats(hit.Objects)
	return []Hit{hit}
}

// surelyApart is the least distance of two instants, by their bounds, that contradicts a belief that they are one.
const surelyApart = 15 * time.Second

// apart reports that b surely lies more than d after a.
func apart(a, b reconstruct.Instant, d time.Duration) bool {
	return a.Known() && b.Known() && !a.Placeholder() && !b.Placeholder() && b.Earliest.Sub(a.Latest) > d
}

func witnessesOf(instants ...reconstruct.Instant) []*model.Observation {
	var out []*model.Observation
	for _, i := range instants {
		if len(i.Witness) > 0 {
			out = append(out, i.Witness[0])
		}
	}
	return out
}

// between is the time from one instant to another, in whole seconds.
func between(a, b reconstruct.Instant) string {
	return words.Duration(b.At.Sub(a.At))
}

func clock(i reconstruct.Instant) string { return model.TimeOfDay(i.At) }
