// Package remedy holds what people do about a volume that cannot move, those of one kind in a file. A remedy says when it fits, what it
// changes in the replay of the incident and what makes it safe; the replay, not the remedy, says what it would have been worth.
package remedy

import (
	"slices"

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

// when is a verdict under a condition.
type when struct {
	is bool
	Fit
}

// first is the verdict of the first row whose condition holds; where none does, the remedy fits.
func first(rows []when) Fit {
	if n := slices.IndexFunc(rows, func(r when) bool { return r.is }); n >= 0 {
		return rows[n].Fit
	}
	return Fit{}
}

// unfit is the row of what another rule says, unless that fits.
func unfit(f Fit) when { return when{f.Verdict != Fits, f} }

// The phases that remedies of one kind shorten: of a lost node, of its pod alone, of a detach, and of a wait for a volume on a node that works.
var (
	lossPhases = []model.PhaseID{model.PhaseEviction, model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling,
		model.PhaseUnmountWait, model.PhaseMount}
	releasePhases = lossPhases[1:]
	detachPhases  = []model.PhaseID{model.PhaseDetach, model.PhaseAttach, model.PhaseMount}
	waitOfVolume  = []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach, model.PhaseMount}
)

// All are the remedies, in the order of the contract, but for the last, which looks at the others.
func All() []Remedy { return slices.Clone(all) }

var all = []Remedy{
	outOfServiceTaint, automateOutOfService, fenceNode, forceDeletePod, deleteNode, deleteVolumeAttachment,
	forceDeletePodAndVolumeAttachment, removeAttachmentFinalizer, shortenTolerations, fasterNodeDetection, gracefulNodeShutdown,
	driverPrestopDetach, autoscalerWaitsForDetach, recreateStrategy, scaleToZero, deleteOldPod, sharedAccessMode,
	singleWriterReplicas, topologySpread, disableForceDetach, controllerHA, restartAttacher, attacherTuning, fixBackendDetach, fixBackendAttach,
	findMountHolder, restartKubelet, fsGroupOnRootMismatch, vendorNodeDownPolicy, recreateNewPod, upgradeKubernetes,
	rolloutUndo, attacherHA, fasterStop, keepMountsFree, drainBeforeShutdown, longerTolerations, repairNode, earlierAlert,
}
