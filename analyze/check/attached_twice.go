package check

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var attachedTwice = Check{
	ID: "attached-twice", Severity: "critical",
	Title:  "A volume for one node has attachments on several",
	Remedy: "Find out in the storage system which node has the volume, and stop the pods on the other before anything is deleted.",
	Doc: Doc{
		Means: `The PersistentVolume allows one node at a time. With status.attached true on two nodes the storage system was told twice to
let a node have it, and both may write to the same file system: that is critical. With true on one of them the other waits, or
its attach failed: that is a warning.`,
		DecidedBy: "Two VolumeAttachments of one PersistentVolume on different nodes in one list; the access modes hold neither ReadWriteMany nor ReadOnlyMany.",
		LeftAlone: "Volumes whose access modes the bundle does not tell; a second attachment that waits while an open incident tells why.",
		References: []string{
			"kubernetes pkg/volume/util IsMultiAttachAllowed, 1.15–1.36",
			"kubernetes PR 120595: a second attachment after a failed detach (1.26.10, 1.27.7, 1.28.3, 1.29.0)",
		},
	},
	Needs: []Need{needAttachments, needVolumes},
	Look:  lookAttachedTwice,
}

func lookAttachedTwice(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	incident := map[*reconstruct.Volume]bool{}
	for _, c := range cases {
		incident[c.Volume.Storage()] = incident[c.Volume.Storage()] || !c.Resolved()
	}
	var out []Hit
	for _, g := range grouped(attachments(w, attachment.exclusive), func(a attachment) *reconstruct.Volume { return a.volume.Storage() }) {
		attached := onNodes(g, true)
		switch {
		case len(onNodes(g, true))+len(onNodes(g, false)) < 2 || !oneList(g):
		case len(attached) > 1:
			out = append(out, twice(g, attached))
		case !incident[g[0].volume.Storage()] && len(slices.DeleteFunc(onNodes(g, false), func(n string) bool { return slices.Contains(attached, n) })) > 0:
			out = append(out, second(g, attached))
		}
	}
	return out
}

// onNodes are the nodes on which a volume is attached, or those on which it has an attachment that is not.
func onNodes(g []attachment, attached bool) []string {
	var out []string
	known := map[string]bool{}
	for _, a := range g {
		if a.Value().Status.Attached == attached && !known[a.node()] {
			known[a.node()] = true
			out = append(out, a.node())
		}
	}
	return out
}

// oneList reports whether attachments were collected together: what was saved at different times never met.
func oneList(g []attachment) bool {
	return !slices.ContainsFunc(g, func(a attachment) bool { return path.Dir(a.Input) != path.Dir(g[0].Input) })
}

func twice(g []attachment, nodes []string) Hit {
	v := g[0].volume
	return Hit{
		Objects: refsWithNodes(g),
		Shown:   quote(g, "spec.nodeName", "status.attached"),
		Text: fmt.Sprintf("%s is for one node at a time, and its VolumeAttachments say that it is attached to %s. What runs on them may write to it at once.",
			g[0].name(), words.List(nodes)),
		Remedy: fmt.Sprintf("Look up in the storage system of %s which nodes have %s, and stop its pods on all nodes but one before deleting anything.",
			cmp.Or(v.Driver, g[0].Value().Spec.Attacher), cmp.Or(v.Handle, v.Key())),
	}
}

func second(g []attachment, attached []string) Hit {
	where := "attached to none of them"
	if len(attached) > 0 {
		where = "attached to " + attached[0]
	}
	return Hit{
		Severity: "warning", Objects: refsWithNodes(g),
		Shown: quote(g, "spec.nodeName", "status.attached", "status.attachError.message", "metadata.deletionTimestamp"),
		Text: fmt.Sprintf("%s is for one node at a time and has VolumeAttachments on %s; it is %s.",
			g[0].name(), words.List(append(slices.Clone(attached), onNodes(g, false)...)), where),
		Remedy: "See what became of the detach from the node that had the volume before; delete no attachment while a pod on its node may be using the volume.",
	}
}

func refsWithNodes(g []attachment) []model.Ref {
	out := refsOf(g)
	for _, a := range g {
		out = append(out, nodeRef(a.node()))
	}
	return withoutRepeats(out)
}
