package check

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model/words"
)

// defaultClassCount names a cluster without a default class, or with several.
var defaultClassCount = Check{
	ID: "default-class", Severity: "info",
	Title:  "Not exactly one StorageClass is the default",
	Remedy: "Mark exactly one class as default: annotation storageclass.kubernetes.io/is-default-class.",
	Doc: Doc{
		Means: `A claim that names no class gets the default one. Without a default it stays Pending. With several, Kubernetes 1.26 and later take the youngest, and
before the claim is refused when it is created.`,
		DecidedBy:  "The annotations storageclass.kubernetes.io/is-default-class and, from before 1.6, storageclass.beta.kubernetes.io/is-default-class of all StorageClasses.",
		LeftAlone:  "Clusters without any class.",
		References: []string{"https://kubernetes.io/docs/concepts/storage/storage-classes/#default-storageclass", "kubernetes plugin/pkg/admission/storage/storageclass/setdefault"},
	},
	Needs: []Need{needClasses},
	Look:  lookDefaultClass,
}

func lookDefaultClass(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	if len(w.Classes) == 0 {
		return nil
	}
	list := defaultClasses(w)
	switch len(list) {
	case 1:
		return nil
	case 0:
		h := Hit{Text: fmt.Sprintf("None of the %s is the default: a claim that names no class stays Pending, unless a volume without class fits it.", words.Plural(len(w.Classes), "StorageClass", "StorageClasses"))}
		for _, c := range w.Classes {
			h.Objects = append(h.Objects, c.Ref)
		}
		for _, c := range first(w.Classes) {
			h.Shown = append(h.Shown, reconstruct.CiteAll(c, "metadata.name")...)
		}
		return []Hit{h}
	}
	var names []string
	h := Hit{Severity: "warning"}
	for i, c := range list {
		names = append(names, c.Ref.Name)
		h.Objects = append(h.Objects, c.Ref)
		if i < maxShown {
			h.Shown = append(h.Shown, reconstruct.CiteAll(c, "metadata.annotations."+isDefault(c.Value()), "metadata.creationTimestamp")...)
		}
	}
	gets := "Kubernetes before 1.26 refuses a claim that names no class; later versions take the youngest, " + names[0] + "."
	if w.Version.Known() {
		gets = "A claim that names no class is refused."
		if upstream.YoungestDefaultClass(w.Version) {
			gets = "A claim that names no class gets the youngest, " + names[0] + "."
		}
	}
	h.Text = fmt.Sprintf("%d StorageClasses are the default: %s. %s", len(names), words.List(names), gets)
	h.Remedy = fmt.Sprintf("Take the mark away from all but one: kubectl annotate storageclass %s storageclass.kubernetes.io/is-default-class=false --overwrite", word(names[len(names)-1]))
	return []Hit{h}
}
