package view

import "testing"

func TestInstruction(t *testing.T) {
	for _, c := range []struct{ text, said, command string }{
		{"kubectl uncordon worker-1", "", "kubectl uncordon worker-1"},
		{"Uncordon it: kubectl uncordon worker-1", "Uncordon it:", "kubectl uncordon worker-1"},
		{`For volumes (kubectl get pv) that stay: kubectl patch pv NAME -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`,
			"For volumes (kubectl get pv) that stay:",
			`kubectl patch pv NAME -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`},
		{"for d in a b; do kubectl patch deployment $d; done", "", "for d in a b; do kubectl patch deployment $d; done"},
		{"on the node: findmnt -t ext4,xfs; ls -l /dev", "on the node:", "findmnt -t ext4,xfs; ls -l /dev"},
		// Near misses: words follow, which no shell takes.
		{"kubectl describe pod a; the kubelet's log of worker-1", "kubectl describe pod a; the kubelet's log of worker-1", ""},
		{"Only then: kubectl taint node a b=c:NoExecute; take it away later.",
			"Only then: kubectl taint node a b=c:NoExecute; take it away later.", ""},
		{"Look again (kubectl get pv a).", "Look again (kubectl get pv a).", ""},
		{"Ask kubectl first.", "Ask kubectl first.", ""},
	} {
		if got := InstructionOf(c.text); got != (Instruction{c.said, c.command}) {
			t.Errorf("%q: got %+v", c.text, got)
		}
	}
}
