package cloud

import (
	"fmt"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// told writes statements as the rows below want them: kind, object, owner, the cloud's name, its word, the time, who asked.
func told(list []model.Observation) string {
	var out []string
	for _, o := range list {
		words := []string{string(o.Kind), o.Object.Name}
		add := func(mark, text string) {
			if text != "" {
				words = append(words, mark+text)
			}
		}
		add("on ", o.Owner.Name)
		add("called ", o.Node)
		add("", o.Detail)
		if !o.At.IsZero() {
			add("at ", o.At.At.Format("15:04:05.999"))
		}
		add("by ", o.Actor)
		out = append(out, strings.Join(words, " "))
	}
	return strings.Join(out, "\n")
}

const (
	vm   = "/subscriptions/5a1e/resourceGroups/RG/providers/Microsoft.Compute/virtualMachines/Worker-1"
	vmss = "/subscriptions/5a1e/resourceGroups/mc/providers/Microsoft.Compute/virtualMachineScaleSets/pool/virtualMachines/3"
	md   = "/subscriptions/5a1e/resourceGroups/RG/providers/Microsoft.Compute/disks/pvc-7"
	inst = "projects/p1/zones/europe-west1-b/instances/gke-a"
	pd   = "projects/p1/zones/europe-west1-b/disks/pvc-7"
	api  = "https://www.googleapis.com/compute/v1/"
	srv  = "3f0d6f3e-6c55-4f0c-9f6a-2d8b4a1c9e01"
	cvol = "9b1d1c2a-0f57-4c59-8a34-6f2b7c3d4e05"
)

// trail is a record of CloudTrail.
func trail(name, request, response string, more ...string) string {
	return `{"eventVersion":"1.09","userIdentity":{"type":"IAMUser","arn":"arn:aws:iam::1:user/alice","userName":"alice"},` +
		`"eventTime":"2026-03-14T10:10:00Z","eventSource":"ec2.amazonaws.com","eventName":"` + name + `","userAgent":"aws-cli/2.15",` +
		strings.Join(more, "") + `"requestParameters":` + request + `,"responseElements":` + response + `}`
}

// entry is one of Compute Engine's in Cloud Audit Logs.
func entry(method, operation, more string) string {
	return `{"insertId":"x","timestamp":"2026-03-14T10:10:00.5Z","operation":` + operation + `,"protoPayload":{` +
		`"@type":"type.googleapis.com/google.cloud.audit.AuditLog","serviceName":"compute.googleapis.com","methodName":"` + method + `",` +
		more + `"authenticationInfo":{"principalEmail":"eve@example.com"},"resourceName":"` + inst + `"}}`
}

const stopped = `{"instancesSet":{"items":[{"instanceId":"i-0a","currentState":{"code":80,"name":"stopped"}}]}}`
const stopping = `{"instancesSet":{"items":[{"instanceId":"i-0a","currentState":{"code":64,"name":"stopping"}}]}}`
const asked = `{"instancesSet":{"items":[{"instanceId":"i-0a"}]},"force":false}`

// rows are the documented forms, each with near misses, of which nothing is said.
var rows = []struct{ name, text, want string }{
	{"an instance that runs", `{"Reservations":[{"Instances":[{"InstanceId":"i-0a","LaunchTime":"2026-03-01T08:00:00+00:00",` +
		`"PrivateDnsName":"ip-10-0-0-7.ec2.internal","State":{"Code":16,"Name":"running"}}]}]}`,
		"machine-running i-0a called ip-10-0-0-7.ec2.internal running at 08:00:00"},
	{"one that is stopped, in YAML", "Reservations:\n- Instances:\n  - InstanceId: i-0a\n    State:\n      Code: 80\n      Name: stopped\n",
		"machine-off i-0a stopped"},
	{"an instance and its disk", `[{"InstanceId":"i-0a","State":{"Code":48,"Name":"terminated"},` +
		`"BlockDeviceMappings":[{"DeviceName":"/dev/xvda","Ebs":{"Status":"attached","VolumeId":"vol-0b"}}]}]`,
		"machine-off i-0a terminated\ndisk-attached vol-0b on i-0a attached"},
	{"the status of instances", `{"InstanceStatuses":[{"InstanceId":"i-0a","InstanceState":{"Code":16,"Name":"running"}}]}`,
		"machine-running i-0a running"},
	{"on its way", `{"Instances":[{"InstanceId":"i-0a","State":{"Code":64,"Name":"stopping"}}]}`, ""},
	{"not: managed by SSM", `{"InstanceInformationList":[{"InstanceId":"i-0a","PingStatus":"Online"}]}`, ""},
	{"not: of a group", `{"AutoScalingInstances":[{"InstanceId":"i-0a","LifecycleState":"InService"}]}`, ""},
	{"not: no number of the state", `{"Instances":[{"InstanceId":"i-0a","State":{"Name":"stopped"}}]}`, ""},
	{"not: another ID", `{"Instances":[{"InstanceId":"mi-0a","State":{"Code":80,"Name":"stopped"}}]}`, ""},
	{"a volume in use", `{"Volumes":[{"Attachments":[{"Device":"/dev/xvdba","InstanceId":"i-0a","State":"detaching","VolumeId":"vol-0b"}],` +
		`"State":"in-use","VolumeId":"vol-0b"}]}`, "disk-attached vol-0b on i-0a detaching"},
	{"a free one", `{"Volumes":[{"Attachments":[],"State":"available","VolumeId":"vol-0b"}]}`, "disk-free vol-0b available"},
	{"attachments alone", `[[{"Device":"/dev/xvdba","InstanceId":"i-0a","State":"attached","VolumeId":"vol-0b"}]]`,
		"disk-attached vol-0b on i-0a attached"},
	{"detached", `[{"Device":"/dev/xvdba","InstanceId":"i-0a","State":"detached","VolumeId":"vol-0b"}]`, "disk-free vol-0b detached"},
	{"not: being made", `{"Volumes":[{"Attachments":[],"State":"creating","VolumeId":"vol-0b"}]}`, ""},
	{"not: a snapshot", `{"Snapshots":[{"SnapshotId":"snap-0c","State":"completed","VolumeId":"vol-0b"}]}`, ""},
	{"a stop", `{"Records":[` + trail("StopInstances", asked, stopping) + `]}`, "machine-stop-requested i-0a StopInstances at 10:10:00 by alice"},
	{"a stop of what had stopped", trail("StopInstances", asked, stopped),
		"machine-stop-requested i-0a StopInstances at 10:10:00 by alice\nmachine-off i-0a stopped at 10:10:00"},
	{"an end", trail("TerminateInstances", asked, "null"), "machine-stop-requested i-0a TerminateInstances at 10:10:00 by alice"},
	{"a start", trail("StartInstances", asked, "null"), "machine-start-requested i-0a StartInstances at 10:10:00 by alice"},
	{"a detach", trail("DetachVolume", `{"volumeId":"vol-0b","force":true}`, `{"instanceId":"i-0a"}`),
		"disk-detach-requested vol-0b on i-0a DetachVolume at 10:10:00 by alice"},
	{"an attach", trail("AttachVolume", `{"volumeId":"vol-0b","instanceId":"i-0a"}`, `{}`),
		"disk-attach-requested vol-0b on i-0a AttachVolume at 10:10:00 by alice"},
	{"looked up", `{"Events":[{"EventId":"e","EventName":"StopInstances","Username":"alice","CloudTrailEvent":` +
		fmt.Sprintf("%q", trail("StopInstances", asked, stopping)) + `}]}`, "machine-stop-requested i-0a StopInstances at 10:10:00 by alice"},
	{"not: refused", trail("StopInstances", asked, "null", `"errorCode":"Client.UnauthorizedOperation",`), ""},
	{"not: another call", trail("RebootInstances", asked, "null"), ""},
	{"not: another service", strings.Replace(trail("StopInstances", asked, stopping), "ec2.", "rds.", 1), ""},
	{"a machine of Compute Engine that runs", `{"kind":"compute#instance","name":"gke-a","selfLink":"` + api + inst + `","status":"RUNNING",` +
		`"lastStartTimestamp":"2026-03-01T08:00:00.123-07:00","disks":[{"kind":"compute#attachedDisk","source":"` + api + pd + `"}]}`,
		"machine-running " + inst + " called gke-a RUNNING at 15:00:00.123\ndisk-attached " + pd + " on " + inst + " attached"},
	{"one that is off, in YAML", "kind: compute#instance\nlastStopTimestamp: '2026-03-14T10:00:00.000-00:00'\nname: gke-a\nselfLink: " + api +
		inst + "\nstatus: TERMINATED\n", "machine-off " + inst + " called gke-a TERMINATED at 10:00:00"},
	{"not: repaired", `[{"kind":"compute#instance","name":"gke-a","selfLink":"` + api + inst + `","status":"REPAIRING"}]`, ""},
	{"not: a template", `{"kind":"compute#instanceTemplate","name":"gke-a","selfLink":"` + api + inst + `","status":"TERMINATED"}`, ""},
	{"a disk in use", `[{"kind":"compute#disk","selfLink":"` + api + pd + `","status":"READY","users":["` + api + inst + `"]}]`,
		"disk-attached " + pd + " on " + inst + " attached"},
	{"a free disk", `{"kind":"compute#disk","lastDetachTimestamp":"2026-03-14T10:00:00Z","selfLink":"` + api + pd + `","status":"READY"}`,
		"disk-free " + pd + " detached"},
	{"not: one that was never attached", `{"kind":"compute#disk","selfLink":"` + api + pd + `","status":"READY"}`, ""},
	{"a stop is asked for", entry("v1.compute.instances.stop", `{"first":true,"id":"o"}`, ""),
		"machine-stop-requested " + inst + " called gke-a stop at 10:10:00.5 by eve@example.com"},
	{"a stop is done", entry("beta.compute.instances.stop", `{"last":true,"id":"o"}`, ""),
		"machine-off " + inst + " called gke-a stopped at 10:10:00.5"},
	{"a start is done", entry("v1.compute.instances.start", `{"last":true,"id":"o"}`, ""),
		"machine-running " + inst + " called gke-a started at 10:10:00.5"},
	{"a detach of a device", entry("v1.compute.instances.detachDisk", `{"first":true}`, `"request":{"deviceName":"pvc-7"},`),
		"disk-detach-requested " + pd + " on " + inst + " detachDisk at 10:10:00.5 by eve@example.com"},
	{"an attach of a disk", entry("v1.compute.instances.attachDisk", `{"first":true}`, `"request":{"source":"`+pd+`"},`),
		"disk-attach-requested " + pd + " on " + inst + " attachDisk at 10:10:00.5 by eve@example.com"},
	{"not: it failed", entry("v1.compute.instances.stop", `{"last":true}`, `"status":{"code":7,"message":"PERMISSION_DENIED"},`), ""},
	{"not: a look", entry("v1.compute.instances.get", `{"last":true}`, ""), ""},
	{"a machine of Azure with its view", `{"id":"` + vm + `","name":"Worker-1","osProfile":{"computerName":"worker-1"},"instanceView":` +
		`{"statuses":[{"code":"ProvisioningState/succeeded","time":"2026-03-14T10:00:00+00:00"},{"code":"PowerState/deallocated"}]}}`,
		"machine-off " + vm + " called worker-1 deallocated"},
	{"shown with details", `[{"id":"` + vmss + `","name":"pool_3","powerState":"VM running"}]`, "machine-running " + vmss + " called pool_3 running"},
	{"its disks alone", `{"id":"` + vm + `","name":"w","storageProfile":{"dataDisks":[{"lun":0,"managedDisk":{"id":"` + md + `"}}]}}`,
		"disk-attached " + md + " on " + vm + " attached"},
	{"not: on its way", `{"id":"` + vm + `","powerState":"VM deallocating"}`, ""},
	{"not: another resource", `{"id":"` + strings.Replace(vm, "Compute", "Network", 1) + `","powerState":"VM deallocated"}`, ""},
	{"a disk of a machine that is off", `{"diskState":"Reserved","id":"` + md + `","managedBy":"` + vm + `"}`,
		"disk-attached " + md + " on " + vm + " reserved"},
	{"a disk of none", `{"diskState":"Unattached","id":"` + md + `","managedBy":null}`, "disk-free " + md + " unattached"},
	{"not: a snapshot of it", `{"diskState":"Unattached","id":"` + strings.Replace(md, "disks", "snapshots", 1) + `"}`, ""},
	{"a server", `{"OS-EXT-STS:task_state":null,"OS-EXT-STS:vm_state":"stopped","id":"` + srv + `","name":"w1","status":"SHUTOFF",` +
		`"updated":"2026-03-14T10:00:00Z","volumes_attached":[{"delete_on_termination":false,"id":"` + cvol + `"}]}`,
		"machine-off " + srv + " called w1 SHUTOFF at 10:00:00\ndisk-attached " + cvol + " on " + srv + " attached"},
	{"a server that runs", `{"server":{"OS-EXT-STS:vm_state":"active","id":"` + srv + `","name":"w1","status":"ACTIVE"}}`,
		"machine-running " + srv + " called w1 ACTIVE"},
	{"not: its host does not answer", `{"OS-EXT-STS:vm_state":"active","host_status":"DOWN","id":"` + srv + `","status":"ACTIVE"}`, ""},
	{"not: a load balancer", `{"id":"` + srv + `","name":"w1","status":"ACTIVE","provisioning_status":"ACTIVE"}`, ""},
	{"a volume of Cinder", `{"attachments":[{"attachment_id":"a","server_id":"` + srv + `","device":"/dev/vdb"}],"bootable":"false",` +
		`"id":"` + cvol + `","size":10,"status":"in-use"}`, "disk-attached " + cvol + " on " + srv + " in-use"},
	{"some columns of a volume of Cinder", `{"attachments":[{"attachment_id":"a","server_id":"` + srv + `","volume_id":"` + cvol +
		`"}],"status":"in-use"}`, "disk-attached " + cvol + " on " + srv + " in-use"},
	{"not: attachments of another kind", `{"attachments":[{"server_id":"` + srv + `","volume_id":"` + cvol + `"}],"status":"in-use"}`, ""},
	{"a free one of Cinder", `{"attachments":[],"bootable":"false","id":"` + cvol + `","size":10,"status":"available"}`,
		"disk-free " + cvol + " available"},
	{"not: reserved", `{"attachments":[],"bootable":"false","id":"` + cvol + `","size":10,"status":"reserved"}`, ""},
	{"how full a volume is", `{"node":{"nodeName":"a"},"pods":[{"podRef":{"name":"p","namespace":"n"},"volume":[{"time":"2026-03-14T10:00:00Z",` +
		`"availableBytes":1,"capacityBytes":1000,"usedBytes":990,"inodes":10,"inodesUsed":1,"name":"data","pvcRef":{"name":"c","namespace":"n"}}]}]}`,
		"volume-usage c 99% of its bytes at 10:00:00\nvolume-usage c 10% of its inodes at 10:00:00"},
	{"not: a volume without a claim", `{"pods":[{"volume":[{"capacityBytes":1000,"usedBytes":990,"name":"tmp"}]}]}`, ""},
	{"not: more than it holds", `{"capacityBytes":1000,"usedBytes":1990,"pvcRef":{"name":"c","namespace":"n"}}`, ""},
	{"not: of nothing", `{"capacityBytes":0,"usedBytes":0,"pvcRef":{"name":"c","namespace":"n"}}`, ""},
	{"not: of a claim without a name", `{"capacityBytes":1000,"usedBytes":990,"pvcRef":{"namespace":"n"}}`, ""},
	{"all of it", `{"capacityBytes":1000,"usedBytes":1000,"pvcRef":{"name":"c","namespace":"n"}}`, "volume-usage c 100% of its bytes"},
	{"not: another ID of a volume", `{"Volumes":[{"Attachments":[],"State":"available","VolumeId":"fsvol-0b"}]}`, ""},
	{"not: a record without its call", strings.Replace(trail("StopInstances", asked, stopping), "requestParameters", "x", 1), ""},
	{"not: looked up, of another service", `{"Events":[{"EventName":"StopInstances","CloudTrailEvent":` +
		fmt.Sprintf("%q", strings.Replace(trail("StopInstances", asked, stopping), "ec2.", "rds.", 1)) + `}]}`, ""},
	{"a start that takes no time", entry("v1.compute.instances.start", `{"first":true,"last":true}`, ""),
		"machine-running " + inst + " called gke-a started at 10:10:00.5\nmachine-start-requested " + inst + " called gke-a start at 10:10:00.5 by eve@example.com"},
	{"an end of what is no state", entry("v1.compute.instances.detachDisk", `{"last":true}`, `"request":{"deviceName":"pvc-7"},`), ""},
	{"not: unattached, and another has it", `{"diskState":"Unattached","id":"` + md + `","managedBy":"` + vmss + `"}`,
		"disk-attached " + md + " on " + vmss + " unattached"},
	{"not: another ID of a server", `{"OS-EXT-STS:vm_state":"active","id":"7","name":"w1","status":"ACTIVE"}`, ""},
	{"not: a time that nobody set", `{"InstanceStatuses":[{"InstanceId":"i-0a","LaunchTime":"0001-01-01T00:00:00Z","InstanceState":{"Code":16,"Name":"running"}}]}`,
		"machine-running i-0a running"},
	{"lists in lists, as deep as they are read", strings.Repeat("[", maxDepth) + `{"diskState":"Unattached","id":"` + md + `"}` +
		strings.Repeat("]", maxDepth), "disk-free " + md + " unattached"},
	{"not: deeper", strings.Repeat("[", maxDepth+1) + `{"diskState":"Unattached","id":"` + md + `"}` + strings.Repeat("]", maxDepth+1), ""},
	{"two documents", "kind: compute#disk\nselfLink: " + api + pd + "\nstatus: READY\nusers:\n- " + api + inst + "\n---\nkind: compute#disk\n" +
		"selfLink: " + api + pd + "2\nstatus: READY\nusers:\n- " + api + inst + "\n",
		"disk-attached " + pd + " on " + inst + " attached\ndisk-attached " + pd + "2 on " + inst + " attached"},
}

func TestRead(t *testing.T) {
	for _, c := range rows {
		res := Read([]byte(c.text), "x", 1)
		if got := told(res.Observations); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if c.want != "" && !Sniff([]byte(c.text)) {
			t.Errorf("%s: is not recognised", c.name)
		}
		checkPlaces(t, c.text, res)
	}
}

// checkPlaces holds that every statement is quoted word for word from its line.
func checkPlaces(t *testing.T, text string, res Result) {
	t.Helper()
	lines := strings.Split(text, "\n")
	for _, o := range res.Observations {
		if o.Source.Line < 1 || o.Source.Line > len(lines) || !strings.Contains(lines[o.Source.Line-1], o.Quote.Text) && !o.Quote.Truncated {
			t.Errorf("%q is not on line %d of %q", o.Quote.Text, o.Source.Line, text)
		}
		if o.Kind == "" || o.Count != 1 || o.Object.Name == "" || !o.Last.At.Equal(o.At.At) {
			t.Errorf("%+v", o)
		}
	}
	if in := res.Input; in.Used+in.Skipped != in.Records || in.Used < 0 {
		t.Errorf("%+v", in)
	}
}

// TestSniffLeaves holds that what other readers take is left to them.
func TestSniffLeaves(t *testing.T) {
	for _, text := range []string{
		"apiVersion: v1\nkind: Node\nspec:\n  providerID: azure://" + vm + "\nstatus:\n  statuses: []\n",
		`{"apiVersion":"machine.openshift.io/v1beta1","kind":"Machine","status":{"providerStatus":{"InstanceId":"i-0a","InstanceState":"stopped"}}}`,
		`[` + entry("v1.compute.instances.stop", `{}`, "") + `,{"protoPayload":{"methodName":"io.k8s.core.v1.pods.delete"}}]`,
		`{"log":"compute#instance is mentioned"}`, "E0314 10:10:00.000000 1 x.go:1] kind: compute#instance",
		"NAME  STATUS\nnode-a  Ready\n",
		"[02:11] ada: I detached it\n{\"InstanceId\": \"i-0a\", \"State\": \"detaching\", \"VolumeId\": \"vol-0b\", \"Device\": \"/dev/xvdba\"}\n",
	} {
		if Sniff([]byte(text)) {
			t.Errorf("takes %s", text)
		}
	}
}

func TestSplit(t *testing.T) {
	paste := "$ kubectl get nodes\nNAME STATUS\n\n$ aws ec2 describe-volumes --volume-ids vol-0b\n" +
		"{\n  \"Volumes\": [\n    {\"Attachments\": [], \"State\": \"available\", \"VolumeId\": \"vol-0b\"}\n  ]\n}\n" +
		"# gcloud compute disks describe pvc-7\nkind: compute#disk\nselfLink: " + api + pd + "\nstatus: READY\n\nend\n"
	text, pieces := Split([]byte(paste))
	want := "$ kubectl get nodes\nNAME STATUS\n\n$ aws ec2 describe-volumes --volume-ids vol-0b\n\n\n\n\n\n" +
		"# gcloud compute disks describe pvc-7\n\n\n\n\nend\n"
	if string(text) != want || len(pieces) != 2 || pieces[0].Line != 5 || pieces[1].Line != 11 {
		t.Errorf("%q %+v", text, pieces)
	}
	for _, other := range []string{
		"kind: compute#disk\nselfLink: " + api + pd + "\nstatus: READY\n", // below no command
		"$ kubectl get x -o json\n{\n  \"apiVersion\": \"v1\", \"id\": \"" + vm + "\", \"diskState\": 1\n}\n",
	} {
		if _, pieces := Split([]byte(other)); pieces != nil {
			t.Errorf("takes %q out of %q", pieces[0].Text, other)
		}
	}
}

// TestLongLines: of a line that is too long to be quoted the field alone is.
func TestLongLines(t *testing.T) {
	const field = `"diskState":"Unattached"`
	disk := func(pad int) string {
		return `{"id":"` + md + `",` + field + `,"x":"` + strings.Repeat("y", pad) + `"}`
	}
	short := disk(maxLine - len(disk(0)))
	for text, want := range map[string]string{short: short, disk(maxLine - len(disk(0)) + 1): field} {
		if got := Read([]byte(text), "x", 1).Observations; len(got) != 1 || got[0].Quote.Text != want && !got[0].Quote.Truncated {
			t.Errorf("%d bytes: %+v", len(text), got)
		} else if q := got[0].Quote.Text; len(want) < len(q) {
			t.Errorf("%d bytes are quoted with %d", len(text), len(q))
		}
	}
}

// TestTooMuch: a file of more marks than are read of one is reported, and says nothing.
func TestTooMuch(t *testing.T) {
	text := `{"diskState":"Unattached","id":"` + md + `","x":[`
	for n, want := range map[int]int{maxMarks - marks([]byte(text+"]}")): 1, maxMarks - marks([]byte(text+"]}")) + 1: 0} {
		if got := Read([]byte(text+strings.Repeat("1,", n-1)+"1\n]}"), "x", 1); len(got.Observations) != want || len(got.Problems) != 1-want {
			t.Errorf("%d marks: %d statements, %v", n, len(got.Observations), got.Problems)
		}
	}
}

// TestBroken holds that a file that breaks off is reported, and says nothing.
func TestBroken(t *testing.T) {
	res := Read([]byte(`{"Volumes":[{"Attachments":[],"State":"available","VolumeId":"vol-0b"}`), "x", 3)
	if len(res.Observations) != 0 || len(res.Problems) != 1 || res.Problems[0].Line != 3 {
		t.Errorf("%+v", res)
	}
}

// FuzzRead reads anything: nothing panics, every record is accounted for, and quotes stand on their lines.
func FuzzRead(f *testing.F) {
	for _, c := range rows {
		f.Add(c.text)
	}
	f.Add("kind: compute#instance\n--- \n{\"Volumes\":[[[[{\"VolumeId\":")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		Sniff([]byte(text))
		left, pieces := Split([]byte(text))
		if strings.Count(string(left), "\n") != strings.Count(text, "\n") {
			t.Errorf("%d pieces, and lines are lost of %q", len(pieces), text)
		}
		checkPlaces(t, text, Read([]byte(text), "x", 1))
	})
}
