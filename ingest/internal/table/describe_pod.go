package table

import (
	"slices"
	"strconv"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// pod reads a pod: its node, its only claim, its owner, and whether it is being deleted.
func (t *fieldReader) pod() {
	t.base.Pod = t.base.Object
	if kind, name, ok := strings.Cut(t.value("Controlled By"), "/"); ok {
		t.base.Owner = model.Ref{Kind: kind, Namespace: t.base.Object.Namespace, Name: name}
	}
	var claims []*field
	for _, f := range t.fields {
		known := func(c *field) bool { return c.value == f.value }
		if f.key == "ClaimName" && nameText(f.value) && !slices.ContainsFunc(claims, known) {
			claims = append(claims, f)
		}
	}
	if len(claims) == 1 {
		t.base.Claim = t.claimNamed(claims[0])
	}
	if t.base.Node = t.podNode(); t.base.Node != "" {
		t.say(model.PodScheduled, t.find("", "Node"), "")
	}
	for _, f := range claims {
		t.saySo(model.PodUses, model.Moment{}, f, func(o *model.Observation) { o.Claim = t.claimNamed(f) })
	}
	ephemeral := func(f *field) bool { return strings.HasPrefix(f.value, "EphemeralVolume") }
	if volumes := t.find("", "Volumes"); volumes != nil && claims == nil && !t.lost && !slices.ContainsFunc(t.fields, ephemeral) {
		t.say(model.PodUses, volumes, "") // it names none
	}
	t.podStatus()
	for _, f := range t.fields { // the Ready row of the conditions has no time
		if words := strings.Fields(f.value); f.key == "" && f.heading == "Conditions" && len(words) == 2 && words[0] == "Ready" {
			t.say(map[string]model.Kind{"True": model.PodReady, "False": model.PodNotReady}[words[1]], f, "")
		}
	}
}

func (t *fieldReader) claimNamed(f *field) model.Ref {
	return model.Ref{Kind: "PersistentVolumeClaim", Namespace: t.base.Object.Namespace, Name: f.value}
}

// podNode reads "name/address", or the name alone where the address is not known.
func (d *description) podNode() string {
	node, _, _ := strings.Cut(d.value("Node"), "/")
	return validName(node)
}

// podStatus reads "Terminating (lasts 5m)": how long ago the deletion timestamp is, which is the request and the grace period.
func (t *fieldReader) podStatus() {
	f := t.find("", "Status")
	if f == nil {
		return
	}
	if rest, terminating := strings.CutPrefix(f.value, "Terminating"); terminating {
		t.saySo(model.PodDeletionRequested, model.Moment{}, f, func(o *model.Observation) {
			age := parseAge(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(rest), "(lasts "), ")"))
			grace, err := strconv.Atoi(strings.TrimSuffix(t.value("Termination Grace Period"), "s"))
			if err != nil || grace < 0 || grace > maxGrace {
				return
			}
			o.Detail = "grace " + strconv.Itoa(grace) + "s"
			if age != nil {
				o.Age = &model.Range{Best: age.Best + float64(grace), Min: age.Min + float64(grace), Max: age.Max + float64(grace)}
				o.LastAge = o.Age
			}
		})
	} else if f.value == "Pending" && t.base.Node != "" { // why the containers are not made: the reason of the first that waits
		making := func(g *field) bool {
			return g.key == "Reason" && (g.value == "ContainerCreating" || g.value == "PodInitializing")
		}
		if i := slices.IndexFunc(t.fields, making); i >= 0 {
			f = t.fields[i]
		}
		t.say(model.PodNotReady, f, f.value)
	} else if f.value == "Failed" || f.value == "Succeeded" {
		reason := t.value("Reason")
		ofPod := reason != "" && t.find("", "Reason").heading == f.heading
		t.say(model.PodFinished, f, f.value+words.If(ofPod, "/"+reason))
	}
}

// maxGrace is ten years in seconds; a longer grace period is nonsense.
const maxGrace = 10 * 365 * 24 * 60 * 60
