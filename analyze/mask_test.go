package analyze

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/ingest"
)

// TestReportHasNoSecret puts a secret into every place of a bundle from which a report takes text.
func TestReportHasNoSecret(t *testing.T) {
	const secret = "hunter2-hunter2-hunter2"
	pod := `apiVersion: v1
kind: Pod
metadata:
  name: web-0
  namespace: shop
  uid: u1
  annotations:
    note: ` + secret + `
    kubectl.kubernetes.io/last-applied-configuration: '{"x":"` + secret + `"}'
  creationTimestamp: "2026-11-21T06:00:00Z"
  deletionTimestamp: "2026-11-21T06:10:00Z"
spec:
  nodeName: n1
  containers:
  - name: kube-controller-manager
    image: kcm
    command: [kube-controller-manager, --token=` + secret + `, --node-monitor-grace-period=40s]
    env:
    - name: DB_PASSWORD
      value: ` + secret + `
`
	opaque := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: shop\nstringData:\n  password: " + secret + "\n"
	log := `I1121 06:12:40.084000       1 reconciler.go:276] "Multi-Attach error: volume is already used by pods" pods=["shop/web-0"] attachedTo=["n1"] volume={"VolumeName":"kubernetes.io/csi/d^h","NodeName":"n2"}
E1121 06:12:41.084000       1 nestedpendingoperations.go:348] Operation for "{volumeName:kubernetes.io/csi/d^h podName: nodeName:n1}" failed. No retries permitted until 2026-11-21 06:12:42 +0000 UTC m=+1 (durationBeforeRetry 500ms). Error: DetachVolume.Detach failed for volume "pv" (UniqueName: "kubernetes.io/csi/d^h") on node "n1" : rpc error: code = Internal desc = login with password=` + secret + ` and Authorization: Bearer ` + secret + ` failed at https://admin:` + secret + `@storage/api
`
	event := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"a","stage":"ResponseComplete",` +
		`"requestURI":"/api/v1/namespaces/shop/pods/web-0","verb":"delete","user":{"username":"system:serviceaccount:shop:x","extra":{"token":"` +
		secret + `"}},"objectRef":{"resource":"pods","namespace":"shop","name":"web-0","apiVersion":"v1"},"responseStatus":{"code":200},` +
		`"responseObject":{"kind":"Pod","metadata":{"name":"web-0","namespace":"shop","uid":"u1","annotations":{"x":"` + secret +
		`"}},"spec":{"containers":[{"env":[{"name":"A","value":"` + secret +
		`"}]}]}},"requestReceivedTimestamp":"2026-11-21T06:12:39.000000Z","stageTimestamp":"2026-11-21T06:12:39.100000Z"}
`
	opened := ingest.OpenFS(fstest.MapFS{
		"pod.yaml": {Data: []byte(pod)}, "secret.yaml": {Data: []byte(opaque)}, "kcm.log": {Data: []byte(log)},
		"audit.log": {Data: []byte(event)},
	}, "bundle")
	defer opened.Close()
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(Run(t.Context(), snapshot, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if at := strings.Index(string(text), "hunter2"); at >= 0 {
		t.Errorf("the report has a secret: …%s", text[max(0, at-200):min(len(text), at+60)])
	}
	// Else nothing was tested: the error and the event are quoted.
	for _, want := range []string{"login with password=[masked]", "admin:[masked]@storage", `annotations\":{[masked]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report lacks %s", want)
		}
	}
}
