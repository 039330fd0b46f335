package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// headlineWords is how many words the sentence of little evidence may have; what goes beyond them is left to the report.
const headlineWords = 30

// little reports that one of the parts of the full sentence is not known: the holder, the attachment, the time, or the cause.
func little(i model.Incident) bool {
	if byHand(i) != "" {
		return false
	}
	unnamed := i.BlockingAttachment.Name == nil && i.BlockingAttachment.NoneBecause == "" && !inTree(i)
	return i.Kind != "" || i.From.Node == "" || unnamed || i.MultiAttach.Began.Missing() != "" || fromAges(i) || i.Causes[0].ID == unknownCause
}

func inTree(i model.Incident) bool {
	_, _, csi := model.ParseUniqueName(i.Volume.UniqueName)
	return i.Volume.UniqueName != "" && !csi
}

// fromAges reports that the beginning counts back from a time that only stands for the collection's.
func fromAges(i model.Incident) bool {
	return i.MultiAttach.Began.Basis == model.Assumed
}

// littleKnown says in one sentence what is known of a wait, and leaves out what is not.
func littleKnown(c *reconstruct.Case, i model.Incident) string {
	waiting, _, _ := c.Waiting()
	s := subject(c, i, waiting) + ": " + reason(c, i, waiting)
	for _, more := range []string{wherefrom(i), when(c, i, s)} {
		if more != "" && words(s)+words(more) <= headlineWords {
			s += more
		}
	}
	return s
}

func words(s string) int { return len(strings.Fields(s)) }

// subject is who waits, or waited how long, for what.
func subject(c *reconstruct.Case, i model.Incident, waiting []model.Ref) string {
	who, verb := "A pod", "waits"
	if len(waiting) > 0 {
		who = "Pod " + waiting[0].String()
	}
	if len(waiting) > 1 {
		who, verb = fmt.Sprintf("%s and %s", who, plural(len(waiting)-1, "other", "others")), "wait"
	}
	if c.Ended().Known() {
		verb = "waited"
		if d := i.MultiAttach.Began.Until(*i.MultiAttach.Ended); d.Best >= 1 {
			verb += " " + human(d.Best)
		}
	}
	name := i.Volume.PersistentVolume
	if placeholder(name) {
		name = ""
	}
	what := strings.TrimSpace("volume " + name)
	if name == "" {
		if i.Volume.UniqueName == "" {
			what = "a volume"
		} else {
			what = "volume " + i.Volume.UniqueName
		}
	}
	switch {
	case c.Taken:
		return strings.ToUpper(what[:1]) + what[1:]
	case c.Stuck:
		return "Whoever wants " + what + " elsewhere waits"
	}
	return who + " " + verb + on(i.To.Node) + " for " + what
}

// placeholder is a name that an author shortened or left out.
func placeholder(name string) bool {
	return strings.Contains(name, "..") || strings.Contains(strings.ToLower(name), "xxxx") || strings.HasPrefix(name, "<") || strings.Contains(name, "…")
}

// reason is what keeps the volume, as far as it is known, and what is likely behind it.
func reason(c *reconstruct.Case, i model.Incident, waiting []model.Ref) string {
	cause := i.Causes[0]
	likely := ""
	if cause.Verdict == model.Likely {
		likely = "likely "
	}
	decided := cause.Verdict != model.Undecidable
	switch {
	case c.Taken:
		return "the controller took it from " + elsewhere(i) + " by force, after its six minutes, under a name that a known error makes; nothing shows who used it"
	case i.Kind == model.KindStorageRefuses && !c.Ended().Known():
		return "the storage refuses the attach, because " + cmp.Or(refuser(c), "another machine") + " still has it there; no VolumeAttachment is known to block it"
	case i.Kind == model.KindStorageRefuses:
		return "the storage refused the attach, because " + cmp.Or(refuser(c), "another machine") + " had it there"
	case decided && cause.ID == "storage-disagrees":
		return "Kubernetes tries to attach it, and the storage refuses, because " + cmp.Or(refuser(c), "another machine") + " still has it there"
	case decided && (cause.ID == "cloud-detach-failing" || cause.ID == "driver-detach-error"):
		who := map[bool]string{true: "the cloud refuses it", false: "an error of the driver or its storage"}[cause.ID == "cloud-detach-failing"]
		return fmt.Sprintf("its detach from %s was asked for and fails (%s%s)", elsewhere(i), likely, who)
	case decided && cause.ID == "attachment-not-finishing":
		return fmt.Sprintf("a VolumeAttachment of it is being deleted and does not end (%sthe attacher or its driver does not finish)", likely)
	case c.Variant == model.UsedByPods && len(c.OldPods) > 0:
		return userReason(c, i, waiting, likely, decided)
	case decided && cause.ID == "node-down" && i.From.Node == "":
		return fmt.Sprintf("it was attached elsewhere until the controller's six minutes had passed (%sa lost node)", likely)
	case c.Variant == model.ExclusivelyAttached && c.Ended().Known():
		return "it was attached to " + elsewhere(i) + ", where no pod used it any more"
	case c.Variant == model.ExclusivelyAttached:
		return "it is still attached to " + elsewhere(i) + ", though no pod there used it when this was reported"
	}
	return "it is attached to " + elsewhere(i)
}

func elsewhere(i model.Incident) string { return cmp.Or(i.From.Node, "another node") }

// refuser is the machine that the storage names as the holder.
func refuser(c *reconstruct.Case) string {
	for _, o := range slices.Concat(c.Refusals(), c.RefusedElsewhere(reconstruct.Instant{})) {
		if n := upstream.HolderNamed(o.Detail); n != "" {
			return n
		}
	}
	return ""
}

// userReason is the reason of a wait for a volume that a pod still uses.
func userReason(c *reconstruct.Case, i model.Incident, waiting []model.Ref, likely string, decided bool) string {
	uses, still := "uses it", "still "
	if c.Ended().Known() {
		uses, still = "used it", ""
	}
	who := "pod " + c.OldPods[0].Name
	if len(c.OldPods) > 1 {
		who, uses = fmt.Sprintf("pod %s and %s", c.OldPods[0].Name, plural(len(c.OldPods)-1, "other", "others")), strings.Replace(uses, "uses", "use", 1)
	}
	_, differ := c.OneDeploymentByName(waiting)
	cause := i.Causes[0].ID
	switch {
	case decided && cause == "rollout-surge" && differ:
		return fmt.Sprintf("%s of an older revision of the same Deployment %s%s (%sa rolling update that starts the new pod first)", who, still, uses, likely)
	case decided && cause == "shared-claim":
		return fmt.Sprintf("%s %s, too (%sa claim that several pods share, on a volume for one node)", who, uses, likely)
	case decided && cause == "access-mode":
		return fmt.Sprintf("%s %s%s (%sa volume for one node by its access mode, whatever the storage can do)", who, still, uses, likely)
	case c.ReplicaNames(waiting):
		return fmt.Sprintf("%s of the same ReplicaSet %s%s", who, still, uses)
	case cause == "rollout-surge" && !decided:
		return fmt.Sprintf("%s %s%s (a rolling update, or a claim that several pods share)", who, still, uses)
	}
	return fmt.Sprintf("%s %s%s", who, still, uses)
}

// wherefrom names the attachment or the node that keeps the volume, where the reason has not.
func wherefrom(i model.Incident) string {
	switch {
	case i.Kind == model.KindForcedDetach:
	case i.BlockingAttachment.Name != nil:
		return " (" + blocker(i) + ")"
	case i.From.Node != "" && i.MultiAttach.Variant == model.UsedByPods:
		return " on " + i.From.Node
	}
	return ""
}

// when dates the report as its source does: by its age, a time of day, or a date.
func when(c *reconstruct.Case, i model.Incident, sentence string) string {
	dated := func(text string) string {
		if strings.HasSuffix(sentence, "when this was reported") {
			return " (" + text + ")"
		}
		return ", reported " + text
	}
	for _, o := range c.Began.Witness {
		if o.Age != nil {
			return dated(human(o.Age.Best) + " before this was printed")
		}
	}
	if began := i.MultiAttach.Began; began.Basis == model.Assumed && began.Missing() != model.NoYear {
		return ""
	}
	return dated("at " + since(i.MultiAttach.Began))
}

// mountHeadline says that a pod is kept down by its mount after the volume has come.
func mountHeadline(c *reconstruct.Case) string {
	return fmt.Sprintf("Pod %s is still down: Multi-Attach ended when its volume was attached%s, and since then the mount fails%s.",
		reconstruct.PodNames(c.NewPods[:1]), to(c.To), mountFault(c.MountFailing().Detail))
}

// mountFault is the last line of what a mount said, which has the reason, cut to a few words.
func mountFault(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	fields := strings.Fields(lines[len(lines)-1])
	if len(fields) > 12 {
		fields = fields[len(fields)-12:]
	}
	if len(fields) == 0 {
		return ""
	}
	return " (… " + strings.TrimSuffix(strings.Join(fields, " "), ".") + ")"
}
