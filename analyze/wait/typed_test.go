package wait_test

import (
	"slices"
	"testing"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestTypedBeside: beside the only report, of which nothing tells pod, node or workload, what people typed for any is told, and never what it came to.
func TestTypedBeside(t *testing.T) {
	named := func(pv string) *model.Observation {
		return change(of(model.MultiAttach, 0, variant(model.ExclusivelyAttached)), func(o *model.Observation) { o.Volume = model.VolumeID{PersistentVolume: pv} })
	}
	typed := func(kind, name string) *model.Observation {
		return change(of(model.CommandTyped, 5, detail("x")), func(o *model.Observation) { o.Object = model.Ref{Kind: kind, Name: name} })
	}
	answered := change(of(model.NodeCordoned, 5, "node-x", model.SourceText), func(o *model.Observation) {
		o.Agent, o.Object = "kubectl", model.Ref{Kind: "Node", Name: "node-x"}
	})
	bare := named("pvc-1")
	waits := change(named("pvc-1"), func(o *model.Observation) { o.Pod = newPod })
	all := things{bare, typed("Pod", "db-0"), typed("Node", "node-x"), typed("Machine", "i-1"), typed("VolumeAttachment", "csi-1"),
		typed("StatefulSet", "db"), typed("Disk", "vol-9")}
	acts := func(c *wait.Case) any {
		text := ""
		for _, a := range wait.Actions(c) {
			text += " " + a.Object.Kind
			if !c.Beside(a) {
				text += "!"
			}
		}
		return text
	}
	askRows(t, []row{
		{"of each kind", all, acts, "Disk Machine Node Pod StatefulSet VolumeAttachment"},
		{"the pod is known", append(all, report()), acts, ""},
		{"the pod that waits alone is known", append(things{waits}, all[1:]...), acts, "Disk Machine Node VolumeAttachment"},
		{"what a session answered", things{bare, answered}, acts, "Node"},
		{"what the case names, or who used it", things{bare, typed("PersistentVolume", "pvc-1"), typed("PersistentVolume", "pvc-2"), typed("PersistentVolumeClaim", "data")}, acts, "PersistentVolume!"},
		{"a disk by the volume's name", things{report(), typed("Disk", "pvc-1"), typed("Disk", "pvc-11"), typed("Machine", "node-a")}, acts, "Disk! Machine!"},
	})
}

// TestOutcome: how far a command for a disk went, as it stands in a text, and as the cloud says below it.
func TestOutcome(t *testing.T) {
	at := func(line int, kind model.Kind, disk, text string) *model.Observation {
		return change(of(kind, 5, detail(text)), func(o *model.Observation) {
			o.Object, o.Input, o.Source.Line = model.Ref{Kind: "Disk", Name: disk}, "chat", line
		})
	}
	typed, written := at(3, model.CommandTyped, "vol-1", "x"), at(2, model.CommandWritten, "vol-1", "x")
	free, going := at(5, model.DiskFree, "vol-1", "available"), at(4, model.DiskAttached, "vol-1", "detaching")
	outcome := func(c *wait.Case) any {
		return c.Outcome(append(slices.Clone(c.World.ByKind[model.CommandWritten]), c.World.ByKind[model.CommandTyped]...)...)
	}
	askRows(t, []row{
		{"written", things{report(), written}, outcome, "may have been run"},
		{"typed", things{report(), typed}, outcome, "was typed"},
		{"written, and typed", things{report(), written, typed}, outcome, "was typed"},
		{"not finished", things{report(), written, going}, outcome, "was run and is not finished (the cloud says “detaching”)"},
		{"finished below", things{report(), typed, going, free}, outcome, "was run (the cloud says “available”)"},
		{"of another disk", things{report(), typed, at(5, model.DiskFree, "vol-2", "available")}, outcome, "was typed"},
		{"above", things{report(), typed, at(1, model.DiskFree, "vol-1", "available")}, outcome, "was typed"},
		{"attached still", things{report(), typed, at(5, model.DiskAttached, "vol-1", "attached")}, outcome, "was typed"},
	})
}

// TestDeeds: what an author says that somebody did by hand counts for the only report, of a pod of its own, or of none that is named.
func TestDeeds(t *testing.T) {
	said := func(what string, pod model.Ref) *model.Observation {
		return change(of(model.AuthorSaid, 5, detail(what+": x")), func(o *model.Observation) { o.Pod = pod })
	}
	typed := func(kind, name, text string) *model.Observation {
		return change(of(model.CommandTyped, 5, detail(text)), func(o *model.Observation) { o.Object = model.Ref{Kind: kind, Name: name} })
	}
	other := model.Ref{Kind: "Pod", Name: "x-0"}
	about := func(what func(*wait.Case) *model.Observation) func(*wait.Case) any {
		return func(c *wait.Case) any {
			if o := what(c); o != nil {
				return string(o.Kind) + " " + o.Detail
			}
			return ""
		}
	}
	deleted, unheld, byHand := about((*wait.Case).ForceDeleted), about((*wait.Case).Unheld), about((*wait.Case).ByHand)
	past, refused := about((*wait.Case).DetachedByHand), about((*wait.Case).EvictionRefused)
	askRows(t, []row{
		{"forced", things{report(), said(model.SaidForced, model.Ref{})}, deleted, "author-said forced: x"},
		{"the old pod", things{report(), said(model.SaidForced, oldPod)}, deleted, "author-said forced: x"},
		{"another pod", things{report(), said(model.SaidForced, other)}, deleted, ""},
		{"another thing", things{report(), said(model.SaidOver, model.Ref{})}, byHand, ""},
		{"unheld", things{report(), said(model.SaidUnheld, model.Ref{})}, unheld, "author-said unheld: x"},
		{"detached is not unheld", things{report(), said(model.SaidDetached, model.Ref{})}, unheld, ""},
		{"detached", things{report(), said(model.SaidDetached, model.Ref{})}, byHand, "author-said detached: x"},
		{"put back", things{report(), said(model.SaidReverted, model.Ref{})}, byHand, ""},
		{"past the driver, before a forced deletion", things{report(), said(model.SaidForced, model.Ref{}), said(model.SaidUnheld, model.Ref{})}, past, "author-said unheld: x"},
		{"forced is not past the driver", things{report(), said(model.SaidForced, model.Ref{})}, past, ""},
		{"the attachment's deletion is not", things{report(), typed("VolumeAttachment", onA, "kubectl delete volumeattachment x")}, past, ""},
		{"and is by hand", things{report(), typed("VolumeAttachment", onA, "x")}, byHand, "command-typed x"},
		{"edited", things{report(), of(model.AttachmentEdited, 5, onA, detail(model.EditedAttached), model.SourceAudit)}, past, "attachment-edited " + model.EditedAttached},
		{"edited, another", things{report(), of(model.AttachmentEdited, 5, onB, detail(model.EditedAttached), model.SourceAudit)}, past, ""},
		{"edited, its finalizers", things{report(), of(model.AttachmentEdited, 5, onA, detail(model.EditedFinalizers), model.SourceAudit)}, unheld, "attachment-edited " + model.EditedFinalizers},
		{"edited, its status", things{report(), of(model.AttachmentEdited, 5, onA, detail(model.EditedAttached), model.SourceAudit)}, unheld, ""},
		{"an eviction refused", things{report(), of(model.EvictionRefused, 5, oldPod)}, refused, "eviction-refused"},
		{"of another pod", things{report(), of(model.EvictionRefused, 5, other)}, refused, ""},
		{"typed, by force", things{report(), typed("Pod", oldPod.Name, "kubectl delete pod x --force")}, byHand, "command-typed kubectl delete pod x --force"},
		{"typed, with grace", things{report(), typed("Pod", oldPod.Name, "kubectl delete pod x")}, byHand, ""},
		{"typed, for the disk", things{report(), typed("Disk", "pvc-1", "detach")}, byHand, "command-typed detach"},
		{"typed, a taint", things{report(), typed("Node", "node-a", "kubectl taint node node-a node.kubernetes.io/out-of-service=x:NoExecute")}, byHand,
			"command-typed kubectl taint node node-a node.kubernetes.io/out-of-service=x:NoExecute"},
		{"typed, its end", things{report(), typed("Node", "node-a", "kubectl taint node node-a node.kubernetes.io/out-of-service-")}, byHand, ""},
		{"typed, another taint", things{report(), typed("Node", "node-a", "kubectl taint node node-a x=y:NoExecute")}, byHand, ""},
		{"typed, for another disk", things{report(), typed("Disk", "vol-x", "detach")}, byHand, ""},
	})
}
