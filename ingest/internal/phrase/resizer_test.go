package phrase

import "testing"

func TestResizer(t *testing.T) {
	const pending = "resize-pending claim=shop/data by=external-resizer detail=Mark PVC as file system resize required"
	const resized = "resize-pending pv=pvc-1 by=external-resizer detail=Resize volume succeeded"
	check(t, []struct{ name, line, want string }{
		{"file system", `controller "Mark PVC as file system resize required" PVC="shop/data"`, pending},
		{"file system, newer file", `resize_status "Mark PVC as file system resize required" PVC="shop/data"`, pending},
		{"file system, printf", `controller Mark PVC "shop/data" as file system resize required`, pending},
		{"volume", `controller "Resize volume succeeded, start to update PV's capacity" PV="pvc-1"`, resized},
		{"volume, no comma", `controller "Resize volume succeeded start to update PV's capacity" PV="pvc-1"`, resized},
		{"volume, printf", `controller Resize volume succeeded for volume "pvc-1", start to update PV's capacity`, resized},
		{"no: failed", `controller Mark PVC "shop/data" as file system resize required failed: conflict`, ""},
		{"no: no claim", `controller "Mark PVC as file system resize required"`, ""},
		{"no: claim without a namespace", `controller "Mark PVC as file system resize required" PVC="data"`, ""},
		{"no: no volume", `controller "Resize volume succeeded, start to update PV's capacity"`, ""},
		{"no: capacity", `controller "Update capacity succeeded" PV="pvc-1" capacity="16Gi"`, ""},
		{"the external-attacher's file of that name", `controller Starting CSI attacher`, "attacher-started by=external-attacher"},
	})
}

// TestKnownResizer: what a log service stripped of its header is a statement, talk of resizing is none.
func TestKnownResizer(t *testing.T) {
	for text, want := range map[string]bool{
		`"Mark PVC as file system resize required" PVC="shop/data"`: true,
		`successfully renewed lease kube-system/external-resizer`:   false,
		`Resize volume failed`: false,
	} {
		if Known([]byte(text)) != want {
			t.Errorf("%s: known is not %v", text, want)
		}
	}
}
