package upstream

import (
	"strings"
	"testing"
)

func TestHolderNamed(t *testing.T) {
	for text, want := range map[string]string{
		"already attached to node(/subscriptions/s/virtualMachineScaleSets/k-vmss/virtualMachines/k-vmss_62), could not be attached":     "k-vmss_62",
		"The disk resource 'd' is already being used by 'projects/p/zones/z/instances/node-a'":                                           "node-a",
		"volume v is already attached to the node node-a":                                                                                "node-a",
		"The disk resource 'd' is already being used by 'projects/p/zones/z/instances/node-a":                                            "node-a",
		"Non-shared volume is already attached on another node node-a":                                                                   "node-a",
		"Volume 7781 is already attached to Linode node-a":                                                                               "node-a",
		"volume v is attached to another node node-c":                                                                                    "node-c",
		"volume pvc-1 is still mounted on node node-a":                                                                                   "node-a",
		`to instance "i-1": "VolumeInUse: vol-1 is already attached to an instance". The volume is currently attached to instance "i-2"`: "i-2",
		// Near misses: no name follows.
		"vol-1 is already attached to an instance":                           "",
		"volume is already attached to a server, please detach it first":     "",
		"volume 1 is already attached to another node and cannot be used":    "",
		"volume is published at another node":                                "",
		"rpc error: code = Internal desc = Could not attach to node \"n-1\"": "",
	} {
		if got := HolderNamed(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, word := range strings.Fields("and with please but so which that cannot could can or not other first than") {
		if got := HolderNamed("volume 1 is already attached to another node " + word); got != "" {
			t.Errorf("%q is taken for a machine", got)
		}
	}
}

func TestSameMachine(t *testing.T) {
	for _, c := range []struct {
		holder, node string
		want         bool
	}{
		{"k-vmss_60", "k-vmss00001o", true}, {"k-vmss_62", "k-vmss00001o", false}, {"node-a.example.com", "node-a", true},
		{"node-a", "node-ab", false},
	} {
		if got := sameMachine(c.holder, c.node); got != c.want {
			t.Errorf("%s %s: %v", c.holder, c.node, got)
		}
	}
}
