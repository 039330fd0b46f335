// Package remedy holds what people do about a volume that cannot move, those of one kind in a file. A remedy says when it fits, what it
// changes in the replay of the incident and what makes it safe; the replay, not the remedy, says what it would have been worth.
package remedy

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

// Remedy is one way to shorten or to prevent a wait. docs/remedies.md says what it does, what people expect of it in vain, and its risk.
type Remedy struct {
	ID, Title  string
	Preventive bool // configured before the incident; else applied while it lasts
	During     bool // a preventive one that is answered while the wait lasts, so that it cannot prevent it
	References []string
	// Forces says that it takes the volume from a node that has not reported the unmount, or leads to that.
	Forces bool
	// SideEffects are what it does besides moving the volume, without a full stop.
	SideEffects func(*Incident) []string
	// Phases are those that it can shorten. A saving never exceeds what the incident spent in them and after them.
	Phases []model.PhaseID
	// After are remedies that have to come first.
	After []string
	// Kubernetes says which versions have it; empty for all.
	Kubernetes string

	// Fit is whether it has anything to act on here.
	Fit func(*Incident) Fit
	// From is when evidence first justified it, in seconds of the scenario, before the person's reaction. A preventive one has none.
	From func(*Incident) float64
	// Change is the plan with the remedy applied at a time; nil for a remedy that changes nothing in the replay.
	Change func(i *Incident, p replay.Plan, at float64) replay.Plan
	// Act is Change of a setting that can also be made while the wait lasts, as an act; nil for others.
	Act func(i *Incident, p replay.Plan, at float64) replay.Plan
	// Used reports that what was really done is this remedy, and when; nil where the first of its acts is the remedy.
	Used func(*Incident) (at float64, yes bool)
	// Without is a plan without the remedy, where that is more than the plan without its acts; else nil.
	Without func(replay.Plan) replay.Plan
	// Acts are the acts of which it is made, for the replay of what was done without it.
	Acts []replay.ActKind

	// Cites is the evidence for when it could have been applied, beyond that of the incident; nil for none.
	Cites func(*Incident) []string

	// Needs are the conditions of its safety when it is applied at a time, in seconds of the scenario.
	Needs func(i *Incident, at float64) []Need
	// Steps are what to do and to type, with the names of the incident: the check before, the remedy, the clean-up after.
	Steps func(*Incident) []model.Step
}

// Verdict says whether a remedy has anything to act on.
type Verdict int

// Fits: it is replayed. Misfit: not-applicable. NoEffect: it changes nothing that made the incident long. Undecidable: not in the bundle.
const (
	Fits Verdict = iota
	Misfit
	NoEffect
	Undecidable
)

// Fit is a verdict with its reason, one sentence.
type Fit struct {
	Verdict Verdict
	Why     string
}

func fits(why string) Fit        { return Fit{Fits, why} }
func misfit(why string) Fit      { return Fit{Misfit, why} }
func noEffect(why string) Fit    { return Fit{NoEffect, why} }
func undecidable(why string) Fit { return Fit{Undecidable, why} }

// Need is one condition of safety, with what the evidence says of it.
type Need struct {
	Text    string
	Met     model.Truth // True, False or Unknown
	Witness []*model.Observation
}

// acting is the change of a remedy that is one act.
func acting(kind replay.ActKind) func(*Incident, replay.Plan, float64) replay.Plan {
	return func(_ *Incident, p replay.Plan, at float64) replay.Plan {
		return p.With(replay.Act{Kind: kind, At: at})
	}
}

// setting is the change of a remedy that is a setting from the beginning.
func setting(set func(*replay.Settings)) func(*Incident, replay.Plan, float64) replay.Plan {
	return func(_ *Incident, p replay.Plan, _ float64) replay.Plan {
		set(&p.Set)
		return p
	}
}

// steps are those of a remedy that are the same in every incident.
func steps(list ...model.Step) func(*Incident) []model.Step {
	return func(*Incident) []model.Step { return list }
}

// All are the remedies, in the order of the contract, but for the last, which looks at the others.
func All() []Remedy { return slices.Clone(all) }

var all = []Remedy{
	outOfServiceTaint, automateOutOfService, fenceNode, forceDeletePod, deleteNode, deleteVolumeAttachment,
	forceDeletePodAndVolumeAttachment, removeAttachmentFinalizer, shortenTolerations, fasterNodeDetection, gracefulNodeShutdown,
	driverPrestopDetach, autoscalerWaitsForDetach, recreateStrategy, scaleToZero, deleteOldPod, sharedAccessMode,
	singleWriterReplicas, topologySpread, disableForceDetach, controllerHA, restartAttacher, attacherTuning, fixBackendDetach, fixBackendAttach,
	findMountHolder, restartKubelet, fsGroupOnRootMismatch, vendorNodeDownPolicy, recreateNewPod, upgradeKubernetes,
	rolloutUndo, attacherHA, fasterStop, drainBeforeShutdown, longerTolerations, repairNode, earlierAlert,
}

// prove is a step before the remedy that only looks; act is the remedy, after follows it. The words are a command, or none.
func prove(text string, words ...string) model.Step { return stepOf(model.StepProve, text, words) }
func act(text string, words ...string) model.Step   { return stepOf(model.StepAct, text, words) }
func after(text string, words ...string) model.Step { return stepOf(model.StepAfter, text, words) }

// noCommand is added to a step whose command needs a name that is not safe to type.
const noCommand = " (no command is given: a name that it needs is not known, or Kubernetes would refuse it)"

func stepOf(part model.StepPart, text string, words []string) model.Step {
	if slices.Contains(words, "") {
		return model.Step{Part: part, Text: text + noCommand}
	}
	return model.Step{Part: part, Text: text, Command: command(words...)}
}

// allowed are the names that Kubernetes gives objects; any other, such as one with a leading dash, could be an option in a command.
var allowed = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)

// name is a name of the bundle as a command may have it; "" for one that is not known, or that Kubernetes would refuse.
func name(s string) string {
	if !allowed.MatchString(s) {
		return ""
	}
	return s
}

// within is a word that holds a name; "" where the name may not stand in a command.
func within(before, inner, behind string) string {
	if name(inner) == "" {
		return ""
	}
	return before + inner + behind
}

// command joins words to a line for a POSIX shell. Every word that is not plain is quoted.
func command(words ...string) string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, quote(w))
	}
	return strings.Join(out, " ")
}

const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/:=,@%+"

func quote(w string) string {
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// comment is a line that a shell leaves alone, whatever the text holds.
func comment(text string) string {
	return "# " + strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}

// commands are the steps as one list to paste, each under its purpose; those for afterwards are comments.
func commands(steps []model.Step) []string {
	out := []string{}
	for _, s := range steps {
		head := map[model.StepPart]string{model.StepProve: "Before: ", model.StepAfter: "After: "}[s.Part]
		out = append(out, comment(head+s.Text))
		switch {
		case s.Command == "":
		case s.Part == model.StepAfter:
			out = append(out, comment(s.Command))
		default:
			out = append(out, s.Command)
		}
	}
	return out
}

// lookBefore is the check before anything is taken from a lost node.
func lookBefore(i *Incident) model.Step {
	return machineState(i)
}
