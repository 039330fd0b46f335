package statement

import (
	"fmt"
	"path"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// flags reads the command lines of containers: settings at the collection; before a restart they may have been others.
func flags(a *podStatements) {
	for i, c := range a.object.Value().Spec.Containers {
		component := componentOf(c)
		if component == "" {
			continue
		}
		field := fmt.Sprintf("spec.containers[%d].", i)
		words := append(wordsOf(field+"command", c.Command), wordsOf(field+"args", c.Args)...)
		for n, w := range words {
			name, value, ok := flagOf(words[n:])
			if !ok || !phrase.RelevantFlag(component, name) {
				continue
			}
			a.say(model.ProcessFlag, model.Moment{}, w.field, func(o *model.Observation) {
				o.Component, o.Detail = component, "--"+name+"="+value
			})
		}
	}
}

// word is one word of a command line with the field that holds it.
type word struct{ text, field string }

// maxWords bounds what is read of a command line.
const maxWords = 512

// wordsOf splits a command line. OpenShift's containers run a shell with a script, which ends in the component's command line.
func wordsOf(field string, list []string) []word {
	var out []word
	for i, s := range list {
		for _, text := range strings.Fields(s) {
			if len(out) < maxWords {
				out = append(out, word{strings.Trim(text, `"';\`), fmt.Sprintf("%s[%d]", field, i)})
			}
		}
	}
	return out
}

// flagOf reads --name=value, --name value and the switch --name, with one dash as well.
func flagOf(words []word) (name, value string, ok bool) {
	text := words[0].text
	if !strings.HasPrefix(text, "-") {
		return "", "", false
	}
	text = strings.TrimLeft(text, "-")
	if name, value, ok = strings.Cut(text, "="); ok {
		return name, strings.Trim(value, `"'`), name != ""
	}
	if len(words) > 1 && words[1].text != "" && !strings.HasPrefix(words[1].text, "-") {
		return text, words[1].text, text != ""
	}
	return text, "true", text != ""
}

// componentOf is the component that a container runs: by its name, by the program of its command, or by its image.
func componentOf(c corev1.Container) string {
	program := ""
	if len(c.Command) > 0 {
		program = path.Base(c.Command[0])
	}
	image := path.Base(c.Image)
	if at := strings.IndexAny(image, ":@"); at >= 0 {
		image = image[:at]
	}
	for _, name := range []string{program, c.Name, image} {
		switch name {
		case "kube-controller-manager", "kube-apiserver":
			return name
		case "csi-attacher", "external-attacher":
			return "external-attacher"
		}
	}
	return ""
}
