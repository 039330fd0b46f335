package analyze

import (
	"math"

	"github.com/volpost/volpost/analyze/advice"
	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/decision"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// incident writes a case down as the report has it.
func incident(c *wait.Case, m *replay.Model, o Options, alarm remedy.Alarm, l *evidence.Ledger) model.Incident {
	i := model.Incident{
		ID: c.ID(), Volume: volume(c), Workload: c.Workload,
		From:               model.Place{Node: c.From, Pods: c.OldPods},
		To:                 model.Place{Node: c.To, Pods: c.NewPods},
		MultiAttach:        multiAttach(c, l),
		BlockingAttachment: blocking(c, l),
		Resolved:           c.Recovered(),
		Span:               c.Span,
		Phases:             phases(c, l),
		Causes:             cause.Explain(c, l),
		WhyNotDetached:     decision.Operands(c, l),
	}
	if c.Refused {
		i.Kind, i.WhyNotDetached = model.KindStorageRefuses, []model.Operand{} // no decision of the controller keeps it
	}
	if c.Taken {
		i.Kind, i.WhyNotDetached = model.KindForcedDetach, []model.Operand{} // it was detached
	}
	if c.Stuck {
		i.Kind = model.KindFailingDetach
	}
	if c.Before {
		i.Kind = model.KindBeforeMultiAttach
	}
	i.Span.Down = down(c, i)
	i.Next = nextSteps(c, i)
	r := remedy.New(m, c, i.Causes, o.Reaction, alarm)
	i.Remediations, i.Model = remedy.Judge(r, l), residual(r)
	if advised(i) {
		i.Advice = advice.Of(r, i.Next, l)
	}
	if w, ok := decision.Integrity(c); ok {
		i.IntegrityWindow = &model.IntegrityWindow{
			From: *l.Moment(w.From), To: l.Moment(w.To), Text: w.Text, Evidence: l.Observations(w.Witness), RanOn: w.RanOn,
		}
	}
	return i
}

// advised reports that an incident gets advice: all but ordinary hand-overs, which take seconds.
func advised(i model.Incident) bool {
	return i.Causes[0].ID != model.CauseHandover || i.Span.Seconds.Best >= longHandover
}

// longHandover is the longest ordinary move between two live nodes in the recordings, in seconds.
const longHandover = 30.0

// residual is the model's own error over an incident; it has none where either has no end.
func residual(r *remedy.Incident) *model.ReplayModel {
	predicted, observed := r.Residual()
	attach := math.Inf(1)
	if r.Asis.Ready.Known() {
		attach = r.Asis.Attach.Best
	}
	return &model.ReplayModel{
		PredictedAttachSeconds: finite(attach),
		PredictedSeconds:       finite(predicted), ObservedSeconds: finite(observed), ResidualSeconds: finite(math.Abs(predicted - observed)),
		Outlook: r.Outlook(), Given: r.Given(), Withheld: r.Misfit(),
	}
}

func finite(seconds float64) *float64 {
	if math.IsInf(seconds, 0) || math.IsNaN(seconds) {
		return nil
	}
	seconds = math.Round(seconds*10) / 10
	return &seconds
}

func volume(c *wait.Case) model.IncidentVolume {
	v := model.IncidentVolume{
		PersistentVolume: c.Volume.PersistentVolume, VolumeHandle: c.Volume.Handle, Driver: c.Volume.Driver,
		UniqueName: c.Volume.UniqueName, AccessModes: c.Volume.Access,
	}
	if placeholder(v.PersistentVolume) {
		v.PersistentVolume = "" // an author shortened it: it is no volume's name
	}
	if c.Volume.Claim.Name != "" {
		ref := c.Volume.Claim
		ref.Kind = "PersistentVolumeClaim"
		v.Claim = &ref
	}
	return v
}

func multiAttach(c *wait.Case, l *evidence.Ledger) model.MultiAttachWait {
	return model.MultiAttachWait{Began: *l.Moment(c.Began), Ended: l.Moment(c.Ended()), Variant: c.Variant, Reports: c.Reported()}
}

func blocking(c *wait.Case, l *evidence.Ledger) model.BlockingAttachment {
	a := c.Attachment
	b := model.BlockingAttachment{NameBasis: a.Basis, HashVerified: a.HashVerified, Node: c.From, Attacher: c.Volume.Driver,
		Inferred: c.Inferred && a.Object == nil}
	if a.Name != "" {
		b.Name = &a.Name
	} else {
		b.NoneBecause, _ = c.World.Attachless(c.Volume)
	}
	if verified := a.HashVerified != nil && *a.HashVerified; verified && a.Object != nil && !c.ObjectHeld() {
		// The object is another one, which got the same name because the name is made of the same three.
		b.NameBasis, b.HashVerified = model.NameDerived, nil
	}
	for n, life := range c.Lives {
		one := model.AttachmentLife{
			UID: life.UID, CreatedAt: l.Moment(life.Created), DeletionRequestedAt: l.Moment(life.DeletionRequested), GoneAt: l.Moment(life.Gone),
			ByHand: life.ByHand, DeletedBy: life.By,
		}
		if n == 0 {
			b.UID, b.CreatedAt, b.DeletionRequestedAt, b.GoneAt = one.UID, one.CreatedAt, exact(one.DeletionRequestedAt), exact(one.GoneAt)
		}
		b.Lives = append(b.Lives, one)
	}
	return b
}

// exact is a moment that is known well enough to stand for one; of others the lives of the attachment have the bounds.
func exact(m *model.Moment) *model.Moment {
	if m == nil || m.Latest.Sub(m.Earliest) > wait.PhaseMargin {
		return nil
	}
	return m
}

// phases adds to each phase what governs its length, and the evidence of its boundaries.
func phases(c *wait.Case, l *evidence.Ledger) []model.Phase {
	out := make([]model.Phase, 0, len(c.Phases))
	for _, p := range c.Phases {
		p.GovernedBy = governor(c, p)
		p.From.Evidence, p.To.Evidence = boundary(c, l, p.From), boundary(c, l, p.To)
		out = append(out, p)
	}
	return out
}

// boundary finds the witnesses of the instant that a phase begins or ends at.
func boundary(c *wait.Case, l *evidence.Ledger, m model.Moment) []string {
	for _, i := range c.Instants() {
		if i.Known() && i.At.Equal(m.At) {
			return l.Observations(i.Witness)
		}
	}
	return nil
}
