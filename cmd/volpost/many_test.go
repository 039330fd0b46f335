//go:build long && unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

const (
	// memoryBase is what any analysis may take, and memoryPerByte what each byte of real objects and reports may add to it.
	memoryBase    = 64 << 20
	memoryPerByte = 30
	manyWaits     = 20_000
)

// TestManyObjects: real objects and reports by the ten thousand, of one volume or of many, take memory by their bytes.
func TestManyObjects(t *testing.T) {
	for _, c := range []struct {
		name, file string
		write      func(io.Writer)
	}{
		{"attachments of one volume", "list.json", func(w io.Writer) { writeList(w, manyAttachments) }},
		{"reports of one volume", "kube-controller-manager.log", writeReports},
		{"waits", "list.json", func(w io.Writer) { writeList(w, manyWaiting) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.file)
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			w := bufio.NewWriter(f)
			c.write(w)
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			info, err := f.Stat()
			if err != nil || f.Close() != nil {
				t.Fatal(err)
			}
			elapsed, peak := measureProgram(t, "analyze", path, "-o", "json="+filepath.Join(t.TempDir(), "report.json"), "-o", "text="+os.DevNull)
			t.Logf("%.0f MB in %v with %d MB", float64(info.Size())/1e6, elapsed.Round(time.Millisecond), peak>>20)
			if limit := memoryBase + memoryPerByte*info.Size(); peak > limit {
				t.Errorf("%d bytes took %d MB, want at most %d MB", info.Size(), peak>>20, limit>>20)
			}
		})
	}
}

// k8s is an object as it is written in JSON.
type k8s = map[string]any

func writeList(w io.Writer, items func(yield func(k8s))) {
	comma := `{"apiVersion":"v1","kind":"List","items":[`
	items(func(o k8s) {
		text, _ := json.Marshal(o)
		fmt.Fprintf(w, "%s\n%s", comma, text)
		comma = ","
	})
	fmt.Fprint(w, "]}\n")
}

// metadata is that of an object as the API server writes it, a server's records of who set which field included.
func metadata(namespace, name string) k8s {
	fields := k8s{"f:metadata": k8s{"f:annotations": k8s{".": k8s{}}, "f:finalizers": k8s{".": k8s{}}}, "f:spec": k8s{"f:nodeName": k8s{}}}
	return k8s{"namespace": namespace, "name": name, "uid": fmt.Sprintf("%x", namespace+name), "resourceVersion": "8123",
		"creationTimestamp": "2026-03-14T08:00:00Z",
		"managedFields": []k8s{{"manager": "kube-controller-manager", "operation": "Update", "apiVersion": "v1",
			"time": "2026-03-14T08:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": fields}}}
}

func volumeOf(n int) k8s {
	return k8s{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": metadata("", fmt.Sprintf("pvc-%06d", n)),
		"status": k8s{"phase": "Bound"}, "spec": k8s{
			"accessModes": []string{"ReadWriteOnce"}, "capacity": k8s{"storage": "1Gi"},
			"claimRef": k8s{"kind": "PersistentVolumeClaim", "namespace": "prod", "name": fmt.Sprintf("data-%06d", n)},
			"csi":      k8s{"driver": "ebs.csi.aws.com", "volumeHandle": fmt.Sprintf("vol-%06d", n)}}}
}

func claimOf(n int) k8s {
	return k8s{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata("prod", fmt.Sprintf("data-%06d", n)),
		"status": k8s{"phase": "Bound"},
		"spec":   k8s{"accessModes": []string{"ReadWriteOnce"}, "volumeName": fmt.Sprintf("pvc-%06d", n)}}
}

func attachmentOf(n, node int) k8s {
	meta := metadata("", fmt.Sprintf("csi-%06d-%06d", n, node))
	meta["finalizers"] = []string{"external-attacher/ebs-csi-aws-com"}
	return k8s{"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment", "metadata": meta, "status": k8s{"attached": true}, "spec": k8s{
		"attacher": "ebs.csi.aws.com", "nodeName": fmt.Sprintf("node-%06d", node),
		"source": k8s{"persistentVolumeName": fmt.Sprintf("pvc-%06d", n)}}}
}

func podOf(n, node int, name, phase string) k8s {
	return k8s{"apiVersion": "v1", "kind": "Pod", "metadata": metadata("prod", name), "status": k8s{"phase": phase}, "spec": k8s{
		"nodeName":   fmt.Sprintf("node-%06d", node),
		"volumes":    []k8s{{"name": "data", "persistentVolumeClaim": k8s{"claimName": fmt.Sprintf("data-%06d", n)}}},
		"containers": []k8s{{"name": "db", "image": "db:1", "volumeMounts": []k8s{{"name": "data", "mountPath": "/data"}}}}}}
}

func reportOf(n int, pod string) k8s {
	at := time.Date(2026, 3, 14, 9, 0, n%3000, 0, time.UTC).Format(time.RFC3339)
	return k8s{"apiVersion": "v1", "kind": "Event", "metadata": metadata("prod", pod+".1"), "type": "Warning", "reason": "FailedAttachVolume",
		"count":          1,
		"firstTimestamp": at, "lastTimestamp": at, "source": k8s{"component": "attachdetach-controller"},
		"involvedObject": k8s{"kind": "Pod", "namespace": "prod", "name": pod, "uid": fmt.Sprintf("%x", "prod"+pod)},
		"message": fmt.Sprintf(`Multi-Attach error for volume "pvc-%06d" Volume is already exclusively attached to one node and can't `+
			`be attached to another`, n)}
}

// manyAttachments is one wait for a volume that is attached to twenty thousand nodes.
func manyAttachments(yield func(k8s)) {
	for _, o := range []k8s{volumeOf(0), claimOf(0), podOf(0, manyWaits, "new-0", "Pending"), reportOf(0, "new-0")} {
		yield(o)
	}
	for node := range manyWaits {
		yield(attachmentOf(0, node))
	}
}

// manyWaiting is twenty thousand volumes, of each of which a pod waits for the node of another.
func manyWaiting(yield func(k8s)) {
	for n := range manyWaits {
		waits := fmt.Sprintf("new-%d", n)
		for _, o := range []k8s{volumeOf(n), claimOf(n), attachmentOf(n, n%500), podOf(n, n%500, fmt.Sprintf("old-%d", n), "Running"),
			podOf(n, n%500+500, waits, "Pending"), reportOf(n, waits)} {
			yield(o)
		}
	}
}

// writeReports is a controller's log of sixty thousand reports of the waits of four thousand nodes for one volume.
func writeReports(w io.Writer) {
	at := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	for n := range 60_000 {
		at = at.Add(50 * time.Millisecond)
		fmt.Fprintf(w, `%s       1 reconciler.go:388] "Multi-Attach error: volume is already exclusively attached and can't be attached to `+
			`another node" `+
			`attachedTo=["node-a"] volume={"VolumeToAttach":{"MultiAttachErrorReported":false,`+
			`"VolumeName":"kubernetes.io/csi/ebs.csi.aws.com^vol-000000",`+
			`"VolumeSpec":{"Volume":null,"PersistentVolume":{"metadata":{"name":"pvc-000000"}},"ReadOnly":false},"NodeName":"node-%06d",`+
			`"ScheduledPods":[{"metadata":{"name":"new-%d","namespace":"prod"}}]}}`+"\n", at.Format("I0102 15:04:05.000000"), n%4000, n%4000)
	}
}
