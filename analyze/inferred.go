package analyze

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// withInferred adds to a timeline the actions that no source tells of. Incidents that share an object share the action.
func withInferred(items []model.TimelineItem, cases []*reconstruct.Case, l *evidence.Ledger) []model.TimelineItem {
	at := map[string]int{}
	for _, c := range cases {
		for _, a := range reconstruct.Actions(c) {
			ids := l.Observations(a.At.Witness)
			if !a.Inferred || len(ids) == 0 {
				continue
			}
			item := model.TimelineItem{ID: actionID(a), At: a.At.Moment, Kind: model.InferredAction, About: []model.Ref{a.Object}, Text: actionSentence(a), By: handOf(a.ByPerson), Evidence: ids}
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

func actionID(a reconstruct.Action) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%s", a.What, a.Object.Key(), a.At.At.UTC()))
	return "a-" + hex.EncodeToString(sum[:6])
}

// actionSentence says what was done, by whom as far as that is known, and how it follows.
func actionSentence(a reconstruct.Action) string {
	object := strings.ToLower(a.Object.Kind[:1]) + a.Object.Kind[1:] + " " + a.Object.String()
	if a.Object.Kind == "VolumeAttachment" {
		object = "VolumeAttachment " + shortAttachment(a.Object.Name)
	}
	text := cmp.Or(a.By, unrecorded)
	switch a.What {
	case reconstruct.ForceDeletedPod:
		text += " deleted " + object + " by force"
	case reconstruct.DeletedAttachment:
		text += ", not the attach/detach controller, deleted " + object
	case reconstruct.DeletedNode:
		text += " deleted " + object
	case reconstruct.TaintedOutOfService:
		text += " set the out-of-service taint on " + object
	case reconstruct.Scaled:
		text += " " + strings.Replace(a.Detail, "scaled", "scaled "+object, 1)
	}
	return text + paren(a.At.Rule)
}

// unrecorded is who did what no source tells of: a person, or a program of the cluster.
const unrecorded = "an actor that is not recorded"
