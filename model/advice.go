package model

// Advice is what an expert would say of an incident: what was done and its worth, what to do now or what would have been better at a
// moment of the past, and what prevents the next one. It is chosen from the incident's remediations.
type Advice struct {
	Done    []DoneAct `json:"done"`    // in the order of time
	Now     []Option  `json:"now"`     // of an open incident, the first is what to do
	Better  []Option  `json:"better"`  // of an ended incident, each at a moment of the past
	Prevent []Option  `json:"prevent"` // at most three
	// Compared is how another replica of one loss fared that was treated differently; nil without one.
	Compared *Compared `json:"compared,omitempty"`
	// Floor is the shortest span, in seconds, that any act could have made; nil where the replay does not tell.
	Floor *Range `json:"floor,omitempty"`
	// Curve is when the pod would have been Ready by when the first option of Now or Better was carried out: 5 to 40 points, or none.
	Curve []CurvePoint `json:"curve,omitempty"`
}

// Compared are two replicas of a workload that one failure took and that were treated differently, with what came of it.
type Compared struct {
	Text     string   `json:"text"`
	Evidence []string `json:"evidence"`
}

// DoneAct is an act of a person, a script or a controller, and what it was worth.
type DoneAct struct {
	What   string    `json:"what"`
	Remedy *string   `json:"remedy" text:"keep"` // the remedy that it is or begins; nil for none
	At     *Moment   `json:"at"`
	By     *string   `json:"by"` // nil where no source records it
	Effect ActEffect `json:"effect"`
	// Saved is the span without the act less the span with it, in seconds; nil where the replay cannot tell.
	Saved    *Range   `json:"saved"`
	Evidence []string `json:"evidence"`
}

// ActEffect says what an act came to.
type ActEffect string

// The effects of an act.
const (
	ActEnded      ActEffect = "ended"         // the wait would not have ended without it
	ActShortened  ActEffect = "shortened"     // it would have ended later
	ActStarted    ActEffect = "started-timer" // the controller's six minutes began with it
	ActNone       ActEffect = "none"          // it would have ended at the same time
	ActRace       ActEffect = "race"          // either node could get the volume by it
	ActLengthened ActEffect = "lengthened"    // it would have ended sooner
	ActCaused     ActEffect = "caused"        // the wait began with it
	ActRiskedData ActEffect = "risked-data"   // two nodes could write after it
)

// Option is a remedy at a moment, with what it would have saved then.
type Option struct {
	Remedy string  `json:"remedy" text:"keep"`
	Title  string  `json:"title"`
	At     *Moment `json:"at"` // nil where it comes before the incident
	Anchor Anchor  `json:"anchor"`
	// InsteadOf is the index in Advice.Done of the act in whose place it would have been carried out.
	InsteadOf *int `json:"insteadOf"`
	// Saved is in seconds; nil where it cannot be told, and then Why says the reason.
	Saved       *Range   `json:"saved"`
	Why         string   `json:"why,omitempty"`
	ReadyAt     *Moment  `json:"readyAt"`
	DataRisk    string   `json:"dataRisk" text:"keep"`
	SideEffects []string `json:"sideEffects"`
	Effort      Effort   `json:"effort"`
	Steps       []Step   `json:"steps"`
	Evidence    []string `json:"evidence"`
}

// Anchor says what the moment of an option is taken from.
type Anchor string

// The anchors.
const (
	AnchorAct        Anchor = "act"        // an act that was really done
	AnchorAlert      Anchor = "alert"      // the first recommended alert
	AnchorReport     Anchor = "report"     // the first report of the wait
	AnchorJustified  Anchor = "justified"  // the first moment at which the evidence justified it
	AnchorCollection Anchor = "collection" // the collection of the bundle: now
	AnchorBefore     Anchor = "before"     // before the incident
)

// Effort says what an option takes.
type Effort string

// The efforts, from the least on.
const (
	EffortCommand   Effort = "command"
	EffortSetting   Effort = "setting"
	EffortRollout   Effort = "rollout"
	EffortProcess   Effort = "process"
	EffortMigration Effort = "migration"
)

// CurvePoint is one point of a curve: carried out then, Ready then.
type CurvePoint struct {
	Act   Moment `json:"act"`
	Ready Moment `json:"ready"`
}
