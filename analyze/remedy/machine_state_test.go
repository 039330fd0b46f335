package remedy

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestCloudState: each cloud is asked by its own command for the machine that a providerID names, and nothing that is none for a state.
func TestCloudState(t *testing.T) {
	const set = "/subscriptions/s/resourceGroups/mc_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-pool/virtualMachines/3"
	const vm = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/vm-1"
	for _, c := range []struct{ id, state, off string }{
		{"aws:///eu-west-1a/i-0aa1", "aws ec2 describe-instances --instance-ids i-0aa1 --query 'Reservations[].Instances[].State.Name' --output text",
			"aws ec2 stop-instances --force --instance-ids i-0aa1"},
		{"aws:///eu-west-1a/fargate-ip-10-0-1-2.eu-west-1.compute.internal", "", ""},
		{"eks-hybrid:///eu-west-1/prod/mi-0aa1", "", ""},
		{"gce://acme/europe-west1-b/gke-1", "gcloud compute instances describe gke-1 --project acme --zone europe-west1-b '--format=value(status)'",
			"gcloud compute instances stop gke-1 --project acme --zone europe-west1-b"},
		{"gce://acme/gke-1", "", ""},
		{"azure://" + vm, "az vm get-instance-view --ids " + vm + " --query 'instanceView.statuses[].displayStatus'", "az vm stop --skip-shutdown --ids " + vm},
		{"azure://" + set, "az vmss get-instance-view --resource-group mc_rg --name aks-pool --instance-id 3 --query 'statuses[].displayStatus'", ""},
		{"openstack:///0f5a-1b", "openstack server show 0f5a-1b -f value -c status", "openstack server stop 0f5a-1b"},
		{"openstack://fra/0f5a-1b", "openstack --os-region-name fra server show 0f5a-1b -f value -c status", "openstack --os-region-name fra server stop 0f5a-1b"},
		{"vsphere://420F5A-1B", "govc vm.info -vm.uuid=420f5a-1b", "govc vm.power -off -force -vm.uuid=420f5a-1b"},
		{"ibm://a1b2///c0ffee/kube-c0ffee-w1", "ibmcloud ks worker get --cluster c0ffee --worker kube-c0ffee-w1", ""},
		{"digitalocean://1234", "doctl compute droplet get 1234 --format Status --no-header", ""},
		{"hcloud://1234", "hcloud server describe 1234 -o 'format={{.Status}}'", ""},
		{"linode://1234", "linode-cli linodes view 1234 --format status --text --no-headers", ""},
		{"equinixmetal://0f5a-1b", "", ""},
		{"kind://docker/kind/kind-worker", "docker inspect '--format={{.State.Status}}' kind-worker", ""},
		{"outscale:///eu-west-2a/i-0aa1", "", ""}, // no machine of EC2, though it is called like one
		{"k3s://node-a", "", ""}, {"metal3://ns/host/0f5a", "", ""}, {"node-a", "", ""}, {"", "", ""}, {"aws://", "", ""},
	} {
		ask, ok := cloudState("make sure", c.id)
		var step model.Step
		if ok {
			step = ask(nil)
		}
		if step.Command != c.state || ok != (c.state != "") || ok && (step.Part != model.StepProve || strings.Contains(step.Text, noCommand)) {
			t.Errorf("%s: %v %+v, want %s", c.id, ok, step, c.state)
		}
		off := ""
		if k, value, ok := cloudOf(c.id); ok && k.stop != "" {
			off = command(filled(strings.Fields(k.stop), value)...)
		}
		if off != c.off {
			t.Errorf("%s: %s, want %s", c.id, off, c.off)
		}
	}
	if step, _ := cloudState("make sure", "aws:///z/i-0;rm"); step(nil).Command != "" {
		t.Errorf("a name that no cloud gives is typed: %s", step(nil).Command)
	}
}

// TestLooks: what a pod waits for is asked of a pod whose name and namespace are known.
func TestLooks(t *testing.T) {
	for pod, want := range map[model.Ref]int{
		{Namespace: "prod", Name: "db-1"}: 2, {Name: "db-1"}: 1, {Namespace: "prod"}: 1, {Namespace: "prod", Name: "<pod>"}: 1,
	} {
		i := made("v1.34.0")
		i.Case.OldPods, i.Case.NewPods = nil, []model.Ref{pod}
		if got := i.Looks(); len(got) != want {
			t.Errorf("%+v: %+v", pod, got)
		}
	}
}
