package table

import (
	"strconv"
	"strings"

	"github.com/volpost/volpost/model"
)

// pod reads a pod: its node, its only claim, its owner, and whether it is being deleted.
func (t *fieldReader) pod() {
	t.base.Pod = t.base.Object
	if kind, name, ok := strings.Cut(t.value("Controlled By"), "/"); ok {
		t.base.Owner = model.Ref{Kind: kind, Namespace: t.base.Object.Namespace, Name: name}
	}
	t.base.Claim = t.onlyClaim()
	t.base.Node = t.podNode()
	if f := t.find("", "Node"); t.base.Node != "" {
		t.say(model.PodScheduled, model.Moment{}, f, nil)
	}
	t.podClaims()
	t.podStatus()
	t.podReady()
}

// podClaims says which claims the pod uses, or that it names none.
func (t *fieldReader) podClaims() {
	volumes, claims := t.find("", "Volumes"), map[string]bool{}
	none := volumes != nil && !t.lost
	for _, f := range t.fields {
		none = none && !strings.HasPrefix(f.value, "EphemeralVolume")
		if f.key == "ClaimName" && !claims[f.value] && nameText(f.value) {
			claims[f.value] = true
			t.say(model.PodUses, model.Moment{}, f, func(o *model.Observation) {
				o.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: t.base.Object.Namespace, Name: f.value}
			})
		}
	}
	if none && len(claims) == 0 {
		t.say(model.PodUses, model.Moment{}, volumes, func(o *model.Observation) { o.Claim = model.Ref{} })
	}
}

// podNode reads "name/address", or the name alone where the address is not known.
func (d *description) podNode() string {
	node, _, _ := strings.Cut(d.value("Node"), "/")
	if !nameText(node) {
		return ""
	}
	return node
}

// onlyClaim is the claim that the pod uses, when it uses one only.
func (t *fieldReader) onlyClaim() model.Ref {
	var out model.Ref
	for _, f := range t.fields {
		if f.key != "ClaimName" || f.value == out.Name {
			continue
		}
		if out.Name != "" {
			return model.Ref{}
		}
		out = model.Ref{Kind: "PersistentVolumeClaim", Namespace: t.base.Object.Namespace, Name: f.value}
	}
	return out
}

// podStatus reads "Terminating (lasts 5m)": how long ago the deletion timestamp is, which is the request and the grace period.
func (t *fieldReader) podStatus() {
	f := t.find("", "Status")
	if f == nil {
		return
	}
	switch rest, terminating := strings.CutPrefix(f.value, "Terminating"); {
	case terminating:
		t.say(model.PodDeletionRequested, model.Moment{}, f, func(o *model.Observation) {
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
	case f.value == "Pending" && t.base.Node != "":
		t.notMade(f)
	case f.value == "Failed" || f.value == "Succeeded":
		t.say(model.PodFinished, model.Moment{}, f, func(o *model.Observation) {
			if o.Detail = f.value; t.value("Reason") != "" && t.find("", "Reason").heading == f.heading {
				o.Detail += "/" + t.value("Reason")
			}
		})
	}
}

// notMade reads why the containers of a pod that has a node are not made: the reason of the first that waits.
func (t *fieldReader) notMade(status *field) {
	f, detail := status, status.value
	for _, g := range t.fields {
		if g.key == "Reason" && (g.value == "ContainerCreating" || g.value == "PodInitializing") {
			f, detail = g, g.value
			break
		}
	}
	t.say(model.PodNotReady, model.Moment{}, f, func(o *model.Observation) { o.Detail = detail })
}

// maxGrace is ten years in seconds; a longer grace period is nonsense.
const maxGrace = 10 * 365 * 24 * 60 * 60

// podReady reads the Ready row of the conditions, which has no time.
func (t *fieldReader) podReady() {
	for _, f := range t.fields {
		if f.key != "" || f.heading != "Conditions" {
			continue
		}
		if words := strings.Fields(f.value); len(words) == 2 && words[0] == "Ready" {
			switch words[1] {
			case "True":
				t.say(model.PodReady, model.Moment{}, f, nil)
			case "False":
				t.say(model.PodNotReady, model.Moment{}, f, nil)
			}
		}
	}
}
