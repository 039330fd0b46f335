package decision_test

import (
	"strings"
	"testing"

	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/decision"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// TestOperands: rules of single operands, each with its near miss.
func TestOperands(t *testing.T) {
	forced := func(released float64) func(*reconstruct.Case) {
		return func(c *reconstruct.Case) {
			c.NotReady = cases.At(-100, model.Observation{Kind: model.NodeNotReady})
			c.Released = cases.At(released, model.Observation{Kind: model.PodGone, Pod: model.Ref{Kind: "Pod", Namespace: "prod", Name: "db-0"}})
			c.Forced = cases.At(400, model.Observation{Kind: model.DetachForcedTimeout})
		}
	}
	deletedByAnother := func(back bool) func(*reconstruct.Case) {
		return func(c *reconstruct.Case) {
			c.DetachRequested = cases.At(50,
				model.Observation{Kind: model.AttachmentDeletionRequested, Source: model.Source{Kind: model.SourceAudit}, Actor: "admin"})
			c.Attached, c.NotReady = cases.At(60, model.Observation{}), cases.At(-100, model.Observation{})
			if back {
				c.BackReady = cases.At(20, model.Observation{})
			}
		}
	}
	attachment := func(asked bool) func(*reconstruct.Case) {
		return func(c *reconstruct.Case) {
			va := &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: "csi-1",
				CreationTimestamp: metav1.NewTime(cases.Began.Add(-1e12))}}
			if asked {
				va.DeletionTimestamp = &metav1.Time{Time: cases.Began}
			}
			c.Attachment.Object = &model.Object[*storagev1.VolumeAttachment]{Ref: model.Ref{Kind: "VolumeAttachment", Name: "csi-1"},
				Content: model.Whole(va)}
		}
	}
	later := func(c *reconstruct.Case) {
		attachment(false)(c)
		c.Attachment.Object.Value().CreationTimestamp = metav1.NewTime(cases.Began.Add(1e12))
	}
	mirrored := func(released bool) func(*reconstruct.Case) {
		return func(c *reconstruct.Case) {
			c.Mirrors = []*model.Observation{cases.Seen(70, model.Observation{})}
			if released {
				c.Released = cases.At(30, model.Observation{})
			}
		}
	}
	inUse := cases.Seen(0, model.Observation{Kind: model.NodeVolumesInUse, Node: "node-a", Volume: cases.PV})
	for _, tt := range []struct {
		name    string
		version string
		change  func(*reconstruct.Case)
		operand string
		value   model.Truth
		text    string
	}{
		{"a pod that went with the start of the timer is named", "v1.34.0", forced(41.9), "timer-elapsed", model.False,
			"because pod prod/db-0 was removed"},
		{"one that went before is not", "v1.34.0", forced(38), "timer-elapsed", model.False, "because the old pod was released"},
		{"nor is one that went minutes before", "v1.34.0", forced(-100), "timer-elapsed", model.False, "because the old pod was released"},
		{"a node that is lost has reported nothing since", "v1.34.0", deletedByAnother(false), "unmounted-by-node", model.False,
			"has not been Ready since"},
		{"one that came back may have", "v1.34.0", deletedByAnother(true), "unmounted-by-node", model.Unknown,
			"nothing tells whether node-a had reported it"},
		{"and one of which no loss is known", "v1.34.0",
			func(c *reconstruct.Case) { deletedByAnother(false)(c); c.NotReady = reconstruct.Instant{} }, "unmounted-by-node", model.Unknown,
			"nothing tells"},
		{"an attachment without deletionTimestamp was never detached", "v1.34.0", attachment(false), "detach-succeeded", model.False,
			"has no deletionTimestamp"},
		{"one with it was", "v1.34.0", attachment(true), "detach-succeeded", model.Unknown, "Nothing in the bundle tells"},
		{"one made after the wait began tells nothing of it", "v1.34.0", later, "detach-succeeded", model.Unknown, "Nothing in the bundle tells"},
		{"no attachment tells nothing", "v1.34.0", func(*reconstruct.Case) {}, "detach-succeeded", model.Unknown, "Nothing in the bundle tells"},
		{"a pod whose wait is mirrored was never released", "v1.34.0", mirrored(false), "old-pod-released", model.False, "was never released"},
		{"nor did its timer start", "v1.34.0", mirrored(false), "timer-elapsed", model.False, "which it never was"},
		{"a release that is known starts it", "v1.34.0", mirrored(true), "timer-elapsed", model.True, "The six minutes ran from 10:00:30"},
		{"1.23 does not know the taint", "v1.23.5", func(*reconstruct.Case) {}, "out-of-service-taint", model.False, "does not know the taint"},
		{"1.24 may, by its gate", "v1.24.5", func(*reconstruct.Case) {}, "out-of-service-taint", model.Unknown, "Nothing in the bundle tells"},
	} {
		c := cases.Made(tt.version, inUse)
		tt.change(c)
		for _, o := range decision.Operands(c, &evidence.Ledger{}) {
			if o.Operand == tt.operand && (o.Value != tt.value || !strings.Contains(o.Text, tt.text)) {
				t.Errorf("%s: %s %s: %s", tt.name, o.Operand, o.Value, o.Text)
			}
		}
	}
}
