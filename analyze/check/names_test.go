package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/model"
)

// TestSeveral: one thing is named, more are counted and listed as far as a sentence goes.
func TestSeveral(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"a"}, "Volume a"},
		{[]string{"a", "b"}, "2 volumes (a, b)"},
		{strings.Split("abcde", ""), "5 volumes (a, b, c and 2 others)"},
	} {
		if got := volumesText(c.names); got != c.want {
			t.Errorf("%v: got %q, want %q", c.names, got, c.want)
		}
	}
}

// TestGrouped: groups come in the order of their first item, and keep the order of their items.
func TestGrouped(t *testing.T) {
	got := facts.Each(grouped(strings.Split("banana", ""), strings.Clone), func(g []string) string { return strings.Join(g, "") })
	if want := []string{"b", "aaa", "nn"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestQuoted: only the first few of many are quoted.
func TestQuoted(t *testing.T) {
	asked := 0
	got := quoted(make([]int, 100), func(int) []*model.Observation {
		asked++
		return []*model.Observation{{}, {}}
	})
	if asked != maxShown || len(got) != 2*maxShown {
		t.Errorf("asked %d for %d quotes, want %d for %d", asked, len(got), maxShown, 2*maxShown)
	}
}

// TestOneFaultIsOneFinding: a finding by an error's text goes when one by the objects names all of its pods and claims, and only then.
func TestOneFaultIsOneFinding(t *testing.T) {
	pod := func(name string) model.Ref { return model.Ref{Kind: "Pod", Namespace: "shop", Name: name} }
	exact := model.Finding{ID: "pod-volume-conflict", Objects: []model.Ref{{Kind: "Pod", Namespace: "shop", Name: "a", UID: "1"},
		volumeRef("pv")}}
	for _, c := range []struct {
		id    string
		names []model.Ref
		kept  bool
	}{
		{"not-multi-attach-node-affinity", []model.Ref{pod("a"), nodeRef("node-a")}, false},
		{"not-multi-attach-node-affinity", []model.Ref{pod("a"), pod("b")}, true},
		{"not-multi-attach-node-affinity", []model.Ref{volumeRef("pv")}, true},
		{"not-multi-attach-limit", []model.Ref{pod("a")}, true},
	} {
		got := withoutRepeated([]model.Finding{exact, {ID: c.id, Objects: c.names}})
		if (len(got) == 2) != c.kept {
			t.Errorf("%s of %v: %d findings stay", c.id, c.names, len(got))
		}
	}
}

// TestNeedOfAList: a list of any of the kinds meets the need, of whatever namespace.
func TestNeedOfAList(t *testing.T) {
	for kind, want := range map[string]bool{"StatefulSet": true, "DaemonSet": true, "ReplicaSet": false} {
		if got := needWorkloads.Met(worldOf(model.Listed{Kind: kind, Namespace: "shop"})); got != want {
			t.Errorf("a list of %ss: met %v, want %v", kind, got, want)
		}
	}
	if needVolumeList.Met(worldOf(model.Listed{Kind: "PersistentVolumeClaim"})) ||
		!needVolumeList.Met(worldOf(model.Listed{Kind: "PersistentVolume"})) {
		t.Error("a whole list of the PersistentVolumes is not what meets needVolumeList")
	}
}

func worldOf(lists ...model.Listed) *facts.World {
	return facts.NewWorld(&model.Snapshot{Lists: lists})
}

// TestFirstReported: the largest age that was printed; nothing where a record is dated, or none has an age.
func TestFirstReported(t *testing.T) {
	aged := func(age float64, at model.Moment) *model.Observation {
		return &model.Observation{Age: &model.Range{Best: age, Min: age, Max: age + 60}, At: at}
	}
	again := aged(330, model.Moment{})
	again.LastAge = &model.Range{Best: 20, Min: 20, Max: 21}
	dated, assumed := model.WholeSecond(model.T), model.WholeSecond(model.T)
	assumed.Basis = model.Assumed
	for _, c := range []struct {
		list []*model.Observation
		want string
	}{
		{[]*model.Observation{{}}, ""}, {[]*model.Observation{aged(0.5, assumed)}, ""},
		{[]*model.Observation{aged(150, model.Moment{}), aged(330, assumed), aged(200, assumed)}, "Reported 5 min before this was printed. "},
		{[]*model.Observation{again}, "First reported 5 min before this was printed. "},
		{[]*model.Observation{aged(330, model.Moment{}), aged(60, dated)}, ""},
	} {
		if got := firstReported(c.list); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestInVain: a detach whose machine or PersistentVolume is gone is not told to be repaired.
func TestInVain(t *testing.T) {
	for text, want := range map[string]string{
		`failed to find VirtualMachine for node: "w1"`:              "The driver does not find the machine, ",
		`failed to detach: persistentvolume "pvc-1" not found`:      "The external-attacher does not find the PersistentVolume, ",
		"rpc error: code = Internal desc = the volume is locked by": "",
	} {
		got := inVain([]*model.Observation{{Detail: text, Attachment: "csi-1"}, {Detail: text, Attachment: "csi-1"}})
		several := inVain([]*model.Observation{{Detail: text, Attachment: "csi-2"}, {Detail: text, Attachment: "csi-1"}})
		if want != "" && (!strings.Contains(got, "patch volumeattachment csi-1 ") || !strings.Contains(several, "patch volumeattachment NAME ")) {
			t.Errorf("%s: %q, and of several %q", text, got, several)
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// TestNamedAsWhatTheyAre: a volume of which only the storage's name is known is no PersistentVolume, and a machine's identifier no Node.
func TestNamedAsWhatTheyAre(t *testing.T) {
	of := func(kind model.Kind, node string, v model.VolumeID) *model.Observation {
		return &model.Observation{Kind: kind, Node: node, Volume: v}
	}
	pv, handle := model.VolumeID{PersistentVolume: "pvc-1"}, model.VolumeID{Handle: "17"}
	for _, c := range []struct {
		o    *model.Observation
		want string
	}{
		{of(model.AttacherFailed, "5057161", handle), "Volume 17 Machine 5057161"},
		{of(model.AttacherFailed, "i-0c3b5c8b3f1de7a1f", pv), "PersistentVolume pvc-1 Machine i-0c3b5c8b3f1de7a1f"},
		{of(model.AttacherFailed, "worker-5", handle), "Volume 17 Node worker-5"},
		{of(model.AttachFailed, "5057161", model.VolumeID{UniqueName: "kubernetes.io/csi/d^17"}), "Volume kubernetes.io/csi/d^17 Node 5057161"},
	} {
		w := cases.World()
		v, n := volumeNamed(w, c.o), nodeNamed(w, c.o)
		if got := v.Kind + " " + v.Name + " " + n.Kind + " " + n.Name; got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestNoInitiator: the words with which drivers say that a node has no initiator, and near misses: names that the storage does not know.
func TestNoInitiator(t *testing.T) {
	for text, want := range map[string]bool{
		"rpc error: code = Internal desc = no 0 initiator": true, "no ISCSI initiator exist": true, "no FC initiators found.": true,
		"FC and iSCSI initiators not found on node": true, "iscsi initiator name not found": true, "hostNQN not found": true,
		`error adding IQN  to igroup trident: Invalid initiator "". An example`:                            true,
		"Cannot find valid nvme nqn, fc wwns or iscsi iqn":                                                 true,
		"awk: fatal: cannot open file `/etc/iscsi/initiatorname.iscsi' (No such file or directory)":        true,
		"createOrUpdateHost: No IQNs specified":                                                            true,
		"could not find host by using initiators: iscsi_iqn : iqn.1994-05.com.example:a1":                  false,
		"initiator iqn.1994-05.com.example:a1 not found":                                                   false,
		"no initiator group for host a":                                                                    false,
		"initiator not found in igroup k8s":                                                                false,
		`Invalid initiator "iqn.x"`:                                                                        false,
		"could not get iscsiTargets: can't get iscsi target address":                                       false,
		"MountVolume.SetUp failed: stat /dev/disk/by-path/ip-10.0.0.1:3260-iscsi-iqn: no such file exists": false,
	} {
		if got := noInitiator(text); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
