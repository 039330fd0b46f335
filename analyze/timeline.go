package analyze

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// timeline is every observation that has a time, with the incidents that it belongs to. Command-line flags are left out
// unless they govern what volpost explains: they are settings, not events. So are states that metrics show scrape by scrape.
func timeline(w *facts.World, cases []*wait.Case, l *evidence.Ledger) []model.TimelineItem {
	out := []model.TimelineItem{}
	contrary := w.Disagreements()
	belongs := map[*model.Observation][]string{}
	for _, c := range cases {
		id := c.ID()
		for _, o := range c.Story() {
			belongs[o] = append(belongs[o], id)
		}
	}
	for i := range w.Axis.Observations {
		o := &w.Axis.Observations[i]
		setting := o.Kind == model.ProcessFlag && !governs(o)
		foreign := facts.ByCloud(o) && belongs[o] == nil
		if o.At.IsZero() || slices.Contains(states, o.Kind) {
			continue // it is of no time
		}
		if setting || foreign {
			continue
		}
		id := l.Observation(o)
		if id == "" {
			continue // nothing to show for it
		}
		item := model.TimelineItem{
			ID: itemID(o), At: o.At, Kind: o.Kind, About: about(o), Text: sentence(o), By: hand(o), Evidence: []string{id}, Incidents: belongs[o],
		}
		if agreed := w.Agreed[o]; len(agreed) > 0 {
			item.Text += "; metrics agree"
			item.Evidence = append(item.Evidence, l.Observations(agreed[:1])...)
		}
		if s := contrary[o]; s != nil && facts.FromMetric(s) {
			item.Text += fmt.Sprintf("; metrics contradict it: every scrape from %s to %s shows the contrary",
				model.TimeOfDay(s.At.At), model.TimeOfDay(s.Last.At))
			item.Evidence = append(item.Evidence, l.Observations([]*model.Observation{s})...)
		}
		out = append(out, item)
	}
	return withInferred(out, cases, l)
}

// mostContrary bounds the problems that contradictions are.
const mostContrary = 20

// contradictions are the problems of what a source says in the middle of a time of which another shows the contrary: one for an object.
func contradictions(w *facts.World) (out []model.Problem) {
	contrary, told := w.Disagreements(), map[string]bool{}
	quote := func(o *model.Observation) string {
		return words.Shorten(words.OneLine(strings.TrimSpace(o.Quote.Text)), 100)
	}
	for _, o := range slices.SortedFunc(maps.Keys(contrary), (*model.Observation).Compare) {
		s, of := contrary[o], cmp.Or(o.Pod.UID, o.Attachment, o.Node)
		if told[of] || len(out) == mostContrary {
			continue
		}
		told[of] = true
		out = append(out, model.Problem{Severity: model.Warning, Path: o.Source.Path, Line: o.Source.Line, Message: fmt.Sprintf(
			"%s at %s, by %q, and %s:%d shows the contrary before and after that: %q. One of both is wrong; the newer counts",
			phraseOf(o), model.Stamp(o.At.At), quote(o), s.Source.Path, s.Source.Line, quote(s))})
	}
	return out
}

// hand is who acted, where that was no program of the cluster.
func hand(o *model.Observation) model.Hand {
	if who := upstream.ActorOf(o.Actor, o.Agent); who.Name != "" {
		return hands[who.Person]
	}
	return ""
}

var hands = map[model.Truth]model.Hand{model.True: model.ByPerson, model.Unknown: model.ByPersonOrScript} // for lookup only

// states are the kinds that say what stayed so, or was so at the end: no event.
var states = []model.Kind{
	model.PodSampled, model.PodSampledReady, model.AttachmentSampled, model.NodeSampledReady, model.NodeSampledNotReady,
	model.NodeSampledTaints, model.VolumeUsage, model.ObjectShown, model.WaitsSampled, model.WaitsHidden, model.OperationsSampled,
}

func governs(o *model.Observation) bool {
	flag, _, given := strings.Cut(o.Detail, "=")
	return given && slices.Contains([]string{upstream.GraceFlag, upstream.DisableForceDetachFlag, "--attach-detach-reconcile-sync-period",
		"--disable-attach-detach-reconcile-sync", "--v"}, flag)
}

// itemID is made of the observation's place, so that it is the same in every run.
func itemID(o *model.Observation) string {
	place := fmt.Appendf(nil, "%s|%d|%s|%s|%s|%s", o.Source.Path, o.Source.Line, o.Source.Field, o.Kind, o.Node, o.Pod.Key())
	if o.Source.Series != "" {
		place = append(append(place, '|'), o.Source.Series...) // many series have a sample at one time
	}
	return "o-" + shortHash(place)
}

func shortHash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// about lists the objects that an observation names.
func about(o *model.Observation) []model.Ref {
	var out []model.Ref
	add := func(r model.Ref) {
		if r.Name != "" && !slices.ContainsFunc(out, r.Is) {
			out = append(out, r)
		}
	}
	add(o.Object)
	for _, p := range append([]model.Ref{o.Pod}, o.Pods...) {
		add(p)
	}
	for _, n := range append([]string{o.Node}, o.Holders...) {
		add(nodeRef(n))
	}
	add(model.Ref{Kind: "PersistentVolume", Name: o.Volume.PersistentVolume})
	add(o.Claim)
	add(model.Ref{Kind: "VolumeAttachment", Name: o.Attachment})
	add(o.Owner)
	return out
}

// withInferred adds to a timeline the actions that are inferred. Incidents that share an object share the action.
func withInferred(items []model.TimelineItem, cases []*wait.Case, l *evidence.Ledger) []model.TimelineItem {
	at := map[string]int{}
	for _, c := range cases {
		for _, a := range wait.Actions(c) {
			ids := l.Observations(a.At.Witness)
			if !a.Inferred || len(ids) == 0 {
				continue
			}
			item := model.TimelineItem{
				ID: "a-" + shortHash(fmt.Appendf(nil, "%s|%s|%s", a.What, a.Object.Key(), a.At.At.UTC())), At: a.At.Moment, Kind: model.InferredAction, About: []model.Ref{a.Object}, Text: actionSentence(a),
				By: hands[a.ByPerson], Evidence: ids,
			}
			i, again := at[item.ID]
			if !again {
				i = len(items)
				at[item.ID] = i
				items = append(items, item)
			}
			items[i].Incidents = append(items[i].Incidents, c.ID())
		}
	}
	slices.SortStableFunc(items, func(a, b model.TimelineItem) int { return a.At.At.Compare(b.At.At) })
	return items
}

// actionSentence says what was done, by whom as far as that is known, and how it follows.
func actionSentence(a wait.Action) string {
	object := strings.ToLower(a.Object.Kind[:1]) + a.Object.Kind[1:] + " " + a.Object.String()
	if a.Object.Kind == "VolumeAttachment" {
		object = "VolumeAttachment " + shortAttachment(a.Object.Name)
	}
	text := cmp.Or(a.By, unrecorded)
	switch a.What {
	case wait.ForceDeletedPod:
		text += " deleted " + object + " by force"
	case wait.DeletedAttachment:
		text += ", not the attach/detach controller, deleted " + object
	case wait.DeletedNode:
		text += " deleted " + object
	case wait.TaintedOutOfService:
		text += " set the out-of-service taint on " + object
	case wait.Scaled:
		text += " " + strings.Replace(a.Detail, "scaled", "scaled "+object, 1)
	}
	return text + paren(a.At.Rule)
}

// unrecorded is the actor of an inferred action: a person, or a program of the cluster.
const unrecorded = "an unknown user"
