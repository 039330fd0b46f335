package cases

import (
	"fmt"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// Began is when a case made by hand was first reported.
var Began = time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)

// PV is the volume of a case made by hand.
var PV = model.VolumeID{PersistentVolume: "pvc-1"}

// At is the instant so many seconds after the first report, as an observation has it.
func At(seconds float64, o model.Observation) facts.Instant {
	return wait.At(Seen(seconds, o))
}

// Seen is an observation of that time.
func Seen(seconds float64, o model.Observation) *model.Observation {
	o.At = model.Exactly(Began.Add(time.Duration(seconds * float64(time.Second))))
	o.Source = model.Source{Kind: o.Source.Kind, Path: "made", Line: int(o.At.At.Unix() % 100000)}
	o.Quote = mask.Quote(fmt.Sprint(o.Kind, o.At.At))
	return &o
}

// Made is a case made by hand, for a rule that no bundle reaches alone: pvc-1 is held by node-a and wanted on node-b, of a
// kube-controller-manager of this version, and of the rest of the world these are the observations.
func Made(version string, observations ...*model.Observation) *wait.Case {
	observations = append(observations, Seen(-900, model.Observation{Kind: model.MultiAttach, Volume: PV, Node: "node-b"}),
		Seen(-1000, model.Observation{Kind: model.ProcessVersion, Component: facts.ControllerManager, Detail: version}))
	s := &model.Snapshot{}
	for _, o := range observations {
		s.Observations = append(s.Observations, *o)
	}
	w := facts.NewWorld(s)
	began := At(0, model.Observation{Kind: model.MultiAttach})
	return &wait.Case{World: w, Volume: w.Volumes.Find(PV), From: "node-a", To: "node-b", Began: began, Reports: began.Witness}
}
