package model

// SchemaVersion is the promise that a report of this version keeps.
const SchemaVersion = "volpost/report/v1"

// Report is the one result; every output renders it.
type Report struct {
	Schema    string        `json:"schema" text:"keep"`
	Generator Generator     `json:"generator"`
	Bundle    Bundle        `json:"bundle"`
	Verdict   ReportVerdict `json:"verdict"`
	Groups    []Group       `json:"groups"`
	Incidents []Incident    `json:"incidents"`
	Findings  []Finding     `json:"findings"`
	// Inspection is a field added within version 1 of the schema: the list that engineers go through by hand, answered.
	Inspection []InspectionItem `json:"inspection"`
	Alerts     []Alert          `json:"alerts"`
	// Series is a field added within version 1 of the schema: what the metrics show of the incidents.
	Series   []MetricSeries `json:"series,omitempty"`
	Timeline []TimelineItem `json:"timeline"`
	Graph    Graph          `json:"graph"`
	// Objects is a field added within version 1 of the schema: objects that belong to no incident, over time.
	Objects  []Lane     `json:"objects,omitempty"`
	Evidence []Evidence `json:"evidence"`
	// Redaction is a field added within version 1 of the schema: it is present when the names are pseudonyms.
	Redaction *Redaction `json:"redaction,omitempty"`
}

// Redaction says that the names in a report are pseudonyms, and the hashes of quotes, which would confirm a guess.
type Redaction struct {
	Key        string `json:"key"`        // which key gives the names back; the bundle is called so, too
	Pseudonyms int    `json:"pseudonyms"` // pieces of names that were replaced
}

// Generator is the program that wrote the report.
type Generator struct {
	Name    string `json:"name" text:"keep"`
	Version string `json:"version" text:"keep"`
}

// Bundle is what was read.
type Bundle struct {
	Root              string         `json:"root" text:"root"`
	Layouts           []string       `json:"layouts,omitempty" text:"keep"`
	Clusters          []string       `json:"clusters,omitempty" text:"name:cluster"` // when the bundle holds several
	Identities        []string       `json:"identities,omitempty" text:"identity"`   // Snapshot.Identities; none when the bundle holds several clusters
	KubernetesVersion string         `json:"kubernetesVersion,omitempty" text:"keep"`
	CapturedAt        *Moment        `json:"capturedAt"`
	CapturedHow       CollectedHow   `json:"capturedHow,omitempty"` // a field added within version 1 of the schema
	StandIn           *StandIn       `json:"standIn,omitempty"`     // a field added within version 1 of the schema
	Inputs            []Input        `json:"inputs"`
	Problems          []Problem      `json:"problems"`
	NotCollected      []NotCollected `json:"notCollected"`
	// Unreadable is a field added within version 1 of the schema: paths that the system did not let be read.
	Unreadable []Unreadable `json:"unreadable,omitempty"`
}

// Status is the report's answer in one word.
type Status string

// See the schema for their exact meaning.
const (
	StatusIncident Status = "incident"
	StatusHandover Status = "handover-only"
	// StatusFault: no Multi-Attach, but something else keeps a pod from its volume or an object stuck. Added within version 1 of the schema.
	StatusFault        Status = "fault"
	StatusClean        Status = "clean"
	StatusInsufficient Status = "insufficient-evidence"
)

// ReportVerdict is the answer with two sentences for the ticket: what happened, and why.
type ReportVerdict struct {
	Status   Status `json:"status"`
	Headline string `json:"headline"`
	// Why is a field added within version 1 of the schema; empty where the headline says all that is known.
	Why string `json:"why,omitempty"`
	// Open is a field added within version 1 of the schema: what the headline says had not ended, or nothing shows its end.
	Open bool `json:"open,omitempty"`
	// Over is a field added within version 1 of the schema: a row or the author says that it is over, and nothing dates the end.
	Over bool `json:"over,omitempty"`
	// Incident is the ID of the incident that the headline is about; empty when it is about none.
	Incident string `json:"incident,omitempty"`
	// Shown is a field added within version 1 of the schema: what the input shows by name and state, where it decides nothing.
	Shown []string `json:"shown,omitempty"`
	// Steps is a field added within version 1 of the schema: what to do about a fault, or the command that decides; incidents have their own, and
	// of one that is open these look at a fault of another volume.
	Steps []Step `json:"steps,omitempty"`
}

// Group holds the incidents that share one root event, such as the volumes of one lost node.
type Group struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Cause     string   `json:"cause,omitempty" text:"keep"`
	Node      string   `json:"node,omitempty" text:"name:node"`
	Incidents []string `json:"incidents"`
}

// InferredAction is something that a person or a controller must have done, though no source reports it.
const InferredAction Kind = "inferred-action"

// TimelineItem is an observation as the report shows it, or an InferredAction.
type TimelineItem struct {
	ID        string   `json:"id"`
	At        Moment   `json:"at"`
	Kind      Kind     `json:"kind"`
	About     []Ref    `json:"about,omitempty"`
	Text      string   `json:"text"`
	By        Hand     `json:"by,omitempty"` // whose act it was, when it was not a program of the cluster
	Incidents []string `json:"incidents,omitempty"`
	Evidence  []string `json:"evidence"`
}

// Hand says whose act a timeline item is, as far as a source says.
type Hand string

// ByPerson: a user of their own with an interactive client. ByPersonOrScript: both look alike, or nothing shows it.
const (
	ByPerson         Hand = "person"
	ByPersonOrScript Hand = "person-or-script"
)

// Presence says whether an object is in the bundle or was only reconstructed from what other sources say.
type Presence string

// The presences of an object.
const (
	InSnapshot    Presence = "snapshot"
	Reconstructed Presence = "reconstructed"
)

// Graph is the object graph: Pod, PersistentVolumeClaim, PersistentVolume, VolumeAttachment, Node and owners.
type Graph struct {
	Nodes []GraphNode `json:"nodes"`
	Edges []GraphEdge `json:"edges"`
}

// Chain is what hangs together with a pod or a claim, or all of a bundle's objects that do.
type Chain struct {
	Graph
	// Problems are those by which it has less than all of the bundle.
	Problems []Problem
}

// GraphNode is one object. State is a short word for the picture, such as blocking, attached, NotReady, Terminating.
type GraphNode struct {
	ID        string   `json:"id" text:"quote"`
	Kind      string   `json:"kind" text:"keep"`
	Namespace string   `json:"namespace,omitempty" text:"name"`
	Name      string   `json:"name" text:"name"`
	UID       string   `json:"uid,omitempty" text:"name:"`
	Presence  Presence `json:"presence,omitempty"`
	State     string   `json:"state,omitempty"`
}

// GraphEdge is a relation such as uses, bound, attaches, on, scheduled-on, owns.
type GraphEdge struct {
	From     string `json:"from" text:"quote"`
	To       string `json:"to" text:"quote"`
	Relation string `json:"relation" text:"keep"`
	State    string `json:"state,omitempty"`
}

// Finding is something worth acting on that is not the incident itself. Of severity critical or warning it is so at the collection: it
// keeps a pod from its volume, an object from its end, or puts data at risk. What only might lead there is info.
type Finding struct {
	ID       string `json:"id"`
	Severity string `json:"severity" text:"keep"` // info, warning or critical
	Title    string `json:"title"`
	Objects  []Ref  `json:"objects"`
	Text     string `json:"text"`
	Remedy   string `json:"remedy,omitempty"`
	// Since is a field added within version 1 of the schema: from when it was so, at the latest; nil where nothing dates it.
	Since    *Moment  `json:"since,omitempty"`
	Evidence []string `json:"evidence"`
}

// InspectionItem is one question about the storage of a cluster. Yes means that there is something to look at.
type InspectionItem struct {
	ID       string   `json:"id" text:"keep"`
	Question string   `json:"question" text:"keep"`
	Answer   string   `json:"answer" text:"keep"`               // yes, no or cannot-tell
	Text     string   `json:"text"`                             // what was seen; among what nothing was; or what is missing
	Command  string   `json:"command,omitempty" text:"command"` // that answers it in the cluster, on a node or at the back end; capitals stand for names
	Findings []string `json:"findings"`                         // IDs of the findings that say yes
	Evidence []string `json:"evidence"`
}

// Remediation is the incident replayed with one thing changed.
type Remediation struct {
	ID           string   `json:"id" text:"keep"`
	Kind         string   `json:"kind" text:"keep"`
	Title        string   `json:"title,omitempty"`
	Effect       string   `json:"effect" text:"keep"`
	Why          string   `json:"why,omitempty"`
	Phases       []string `json:"phases" text:"keep"`
	AppliedAt    *Moment  `json:"appliedAt,omitempty"`
	PredictedEnd *Moment  `json:"predictedEnd,omitempty"`
	// PredictedAttach is when the volume would be attached to the wanted node, without the mount and the start of the pod.
	PredictedAttach *Moment `json:"predictedAttach,omitempty"`
	SavedSeconds    *Range  `json:"savedSeconds,omitempty"`
	// IfAppliedNow is, for an open incident, the end that is predicted when the remedy is applied at the collection.
	IfAppliedNow *Moment `json:"ifAppliedNow,omitempty"`
	// PredictedPhases tile the incident as it would have been, where the replay ends.
	PredictedPhases []Phase `json:"predictedPhases,omitempty"`
	Safety          Safety  `json:"safety"`
	// DataRisk says what it puts at risk of the data: none, none-once-proven (when what Safety needs is proven), possible or
	// certain, which only evidence of a machine that runs with the volume makes. It is empty where the remedy does not apply.
	DataRisk string `json:"dataRisk,omitempty" text:"keep"`
	// SideEffects are what it does besides moving the volume: what stops, what is evicted, what stays behind.
	SideEffects []string `json:"sideEffects,omitempty"`
	Requires    Requires `json:"requires"`
	Commands    []string `json:"commands" text:"command"`
	// Steps is a field added within version 1 of the schema: the same commands, each with what it is for and when.
	Steps      []Step   `json:"steps,omitempty"`
	References []string `json:"references,omitempty" text:"keep"`
	WasUsed    bool     `json:"wasUsed"`
	Evidence   []string `json:"evidence,omitempty"` // for when it could have been applied
}

// The kinds of a remedy: applied while the wait lasted, or configured before it.
const (
	Reactive   = "reactive"
	Preventive = "preventive"
)

// The effects of a remedy on the wait.
const (
	EffectShortens      = "shortens"
	EffectPrevents      = "prevents"
	EffectNone          = "none"
	EffectLengthens     = "lengthens"
	EffectNotApplicable = "not-applicable"
	EffectUndecidable   = "undecidable"
)

// The classes of DataRisk, from the least on.
const (
	RiskNone       = "none"
	RiskOnceProven = "none-once-proven"
	RiskPossible   = "possible"
	RiskCertain    = "certain"
)

// StepPart says when a step of a remedy is done: before it, to prove that it harms nothing; itself; or when it has worked.
type StepPart string

// The parts, in the order in which they are done.
const (
	StepProve StepPart = "prove"
	StepAct   StepPart = "act"
	StepAfter StepPart = "after"
)

// Step is one thing to do: a sentence without a full stop, and the command that does it, ready to be pasted into a shell.
type Step struct {
	Part    StepPart `json:"part"`
	Text    string   `json:"text"`
	Command string   `json:"command,omitempty" text:"command"`
}

// Requires is what a remedy presupposes: versions of Kubernetes, and remedies that come first.
type Requires struct {
	Kubernetes string   `json:"kubernetes,omitempty" text:"keep"`
	After      []string `json:"after,omitempty" text:"keep"`
}

// Safety says whether a remedy could have been applied without risk to the data.
type Safety struct {
	State string `json:"state" text:"keep"`
	Needs []Need `json:"needs"`
}

// The states of safety.
const (
	Safe      = "safe"
	NotProven = "not-proven"
	Unsafe    = "unsafe"
)

// The answers to a need of safety, and the first two to a question of the inspection.
const (
	Yes      = "yes"
	No       = "no"
	NotKnown = "unknown"

	CannotTell = "cannot-tell" // the third to a question of the inspection
)

// Need is one condition of safety.
type Need struct {
	Text     string   `json:"text"`
	Met      string   `json:"met" text:"keep"`
	Evidence []string `json:"evidence,omitempty"`
}
