package remedy

import (
	"fmt"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// upgraded is the newest version whose behaviour the model knows.
var upgraded = upstream.Version{Minor: 36}

var upgradeKubernetes = Remedy{
	ID: "upgrade-kubernetes", Title: "Upgrade Kubernetes to " + "1.36", Preventive: true,
	Doc: Doc{
		Does: "Newer versions repair known errors of the attach/detach controller and the kubelet, act on the out-of-service taint (1.26), no longer detach by force from a node that is Ready (1.24.9, " +
			"1.25.0), and attach to the new node after a failed detach (1.26.10, 1.27.7, 1.28.3, 1.29).",
		DoesNot: "It makes no plain loss of a node shorter: the six minutes are the same in every version, and since 1.32 a node is declared not Ready after 50 s instead of 40 s, which is left out of the replay. A stuck unmount on a node that is " +
			"Ready, which ended after six minutes up to 1.23, does not end by itself since: that is slower and safer.",
		Risk: "That of any upgrade.",
		References: []string{
			"kubernetes PR 110721 (1.24.9, 1.25.0), PR 120595 (1.26.10, 1.27.7, 1.28.3, 1.29.0), KEP-2268 (1.26), CHANGELOG 126287 (1.32)", "kubernetes issue 86281 (repaired in 1.17.3), PR 117752 (1.27.2)",
		},
	},
	SideEffects: always("nodes are drained and controllers restart, as at any upgrade"),

	Phases: []model.PhaseID{model.PhaseEviction, model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		v := i.version()
		switch {
		case !v.Known():
			return undecidable("The version of Kubernetes is not known.")
		case i.hasCause("controller-bug"):
			return undecidable("A known error of this version was at work, which an upgrade repairs; how the incident would have gone without it, the model cannot say.")
		case v.AtLeast(upgraded.Minor, 0):
			return misfit(fmt.Sprintf("Kubernetes %s runs already.", v))
		case len(i.Case.DetachAnswers()) > 0 && !upstream.SecondAttachmentAfterFailedDetach(v):
			return undecidable("Since 1.29 the controller attaches to the new node after a failed detach; whether the storage would have allowed that, nothing here tells.")
		}
		return fits("")
	},
	Change: setting(func(s *replay.Settings) { s.AsksHealth, s.OutOfService = true, true }),
	Steps: func(*Incident) []model.Step {
		return []model.Step{prove("see which version runs", "kubectl", "version"), act("upgrade the control plane to a version without the error")}
	},
}
