package truth

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const auditLog = `{"stage":"ResponseComplete","verb":"delete","objectRef":{"resource":"volumeattachments","name":"csi-1"},"responseStatus":{"code":200},"stageTimestamp":"2026-11-22T09:00:10.020Z"}
{"stage":"ResponseComplete","verb":"create","objectRef":{"resource":"events","namespace":"shop"},"responseStatus":{"code":201},"requestObject":{"message":"Waiting for detach for volume \"pvc-1\" Volume is already used by pod(s) a"},"stageTimestamp":"2026-11-22T09:00:02.000Z"}
`

// erased is the audit log of an attachment whose finalizer somebody removes before it is deleted.
var erased = event("create", 1, `"finalizers":["external-attacher/x"]`) + event("patch", 5, `"name":"csi-1"`) + event("delete", 10, "")

func event(verb string, second int, metadata string) string {
	return fmt.Sprintf(`{"stage":"ResponseComplete","verb":%q,"objectRef":{"resource":"volumeattachments","name":"csi-1"},`+
		`"responseStatus":{"code":200},"responseObject":{"metadata":{%s}},"stageTimestamp":"2026-11-22T09:00:%02dZ"}`+"\n",
		verb, metadata, second)
}

func TestErasedAttachmentIsNoContradiction(t *testing.T) {
	gone := Time{time.Date(2026, 11, 22, 9, 0, 10, 10e6, time.UTC)}
	in := &Truth{Affected: []*Affected{{Blocking: "csi-1", Times: Times{OldDeletion: gone, OldGone: gone}}}}
	if _, wrong, err := in.Check(strings.NewReader(erased)); err != nil || len(wrong) != 0 {
		t.Errorf("got %q, %v", wrong, err)
	}
	l := strings.Split(erased, "\n") // with its finalizer it is not gone when it is deleted
	if _, wrong, _ := in.Check(strings.NewReader(l[0] + "\n" + l[2])); len(wrong) != 1 {
		t.Errorf("the attacher had not let go, and there are %d contradictions: %q", len(wrong), wrong)
	}
}

func TestCheck(t *testing.T) {
	at := func(ms int) Time { return Time{time.Date(2026, 11, 22, 9, 0, 0, ms*1e6, time.UTC)} }
	in := &Truth{Affected: []*Affected{{Volume: "pvc-1", Blocking: "csi-1", Times: Times{MultiAttach: at(2005), OldDeletion: at(10000)}}}}
	worst, wrong, err := in.Check(strings.NewReader(auditLog))
	if err != nil || len(wrong) != 0 || worst != 20*time.Millisecond {
		t.Errorf("got %v, %q, %v", worst, wrong, err)
	}
	in.Affected[0].Times.OldDeletion = at(15000)
	if _, wrong, _ = in.Check(strings.NewReader(auditLog)); len(wrong) != 1 {
		t.Errorf("five seconds apart, and %d contradictions", len(wrong))
	}
}
