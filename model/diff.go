package model

// DiffVersion is the form of a Diff as JSON.
const DiffVersion = "volpost/diff/v1"

// Diff compares two collections of one cluster. What one of them cannot show is in CannotTell and never counts as a change.
type Diff struct {
	Schema    string    `json:"schema" text:"keep"`
	Generator Generator `json:"generator"`
	// PseudonymsOf is the name of its key where its names are pseudonyms.
	PseudonymsOf string   `json:"pseudonymsOf,omitempty" text:"root"`
	Before       DiffSide `json:"before"`
	After        DiffSide `json:"after"`
	Cluster      SameAs   `json:"cluster"`
	Headline     string   `json:"headline"`

	Attachments []AttachmentChange `json:"attachments"`
	// AttachmentsSame is the number of VolumeAttachments that both sides show alike.
	AttachmentsSame int              `json:"attachmentsSame"`
	Incidents       []IncidentChange `json:"incidents"`
	Faults          []FaultChange    `json:"faults"`
	CannotTell      []string         `json:"cannotTell"`
}

// DiffSide is one of the two collections.
type DiffSide struct {
	Name              string       `json:"name" text:"path"` // as the user named it
	Kind              string       `json:"kind" text:"keep"` // bundle or report
	CapturedAt        *Moment      `json:"capturedAt"`
	CapturedHow       CollectedHow `json:"capturedHow,omitempty"`
	StandIn           *StandIn     `json:"standIn,omitempty"`
	KubernetesVersion string       `json:"kubernetesVersion,omitempty" text:"keep"`
	Status            Status       `json:"status"`
	Identities        []string     `json:"identities,omitempty" text:"identity"` // fingerprints of the cluster
	Nodes             int          `json:"nodes"`
	Attachments       int          `json:"attachments"`
	// AttachmentsListed says that a VolumeAttachment which is not there did not exist.
	AttachmentsListed bool `json:"attachmentsListed"`
	Incidents         int  `json:"incidents"`
}

// SameAs says whether both sides are of one cluster, and what shows it.
type SameAs struct {
	Value Truth  `json:"value"`
	Text  string `json:"text"`
}

// AttachmentState is a VolumeAttachment as one side shows it.
type AttachmentState struct {
	Name              string  `json:"name" text:"name:va"`
	UID               string  `json:"uid,omitempty" text:"name:"`
	Volume            string  `json:"volume" text:"name:vol"` // PersistentVolume, or the unique name of an inline volume
	Claim             *Ref    `json:"claim,omitempty"`
	Node              string  `json:"node" text:"name:node"`
	Attached          Truth   `json:"attached"`
	Created           *Moment `json:"created,omitempty"`
	DeletionRequested *Moment `json:"deletionRequested,omitempty"`
	Error             string  `json:"error,omitempty" text:"quote"` // of the last attach or detach, while it fails
	// Place is where a bundle shows it.
	Place *Source `json:"place,omitempty"`
}

// ChangeKind says what became of something between two collections.
type ChangeKind string

// What becomes of a VolumeAttachment. Moved: the volume has one on another node. Recreated: another object has the name.
const (
	ChangeAppeared  ChangeKind = "appeared"
	ChangeVanished  ChangeKind = "vanished"
	ChangeMoved     ChangeKind = "moved"
	ChangeRecreated ChangeKind = "recreated"
	ChangeChanged   ChangeKind = "changed"
)

// What becomes of an incident. New: it began after the first collection. Ended, StillOpen: it was open then. Same: both
// show it ended. Uncovered: one side cannot show it. Contradicted: one side should show it, and does not.
const (
	ChangeNew          ChangeKind = "new"
	ChangeEnded        ChangeKind = "ended"
	ChangeStillOpen    ChangeKind = "still-open"
	ChangeSame         ChangeKind = "same"
	ChangeUncovered    ChangeKind = "uncovered"
	ChangeContradicted ChangeKind = "contradicted"
)

// AttachmentChange is what became of one VolumeAttachment, or of the two of a volume that moved.
type AttachmentChange struct {
	Change ChangeKind       `json:"change"`
	Before *AttachmentState `json:"before"`
	After  *AttachmentState `json:"after"`
	Text   string           `json:"text"`
}

// IncidentChange is what became of an incident.
type IncidentChange struct {
	Change     ChangeKind      `json:"change"`
	Before     *IncidentDigest `json:"before"`
	After      *IncidentDigest `json:"after"`
	AlignedBy  string          `json:"alignedBy,omitempty"` // what shows that both are one: volume, node and time
	Text       string          `json:"text"`
	CauseText  string          `json:"causeText,omitempty"`
	Phases     []PhaseChange   `json:"phases"`
	CannotTell []string        `json:"cannotTell"`
}

// IncidentDigest is an incident in short.
type IncidentDigest struct {
	ID     string  `json:"id"`
	Volume string  `json:"volume" text:"name:vol"` // the claim, else the PersistentVolume, else the unique name
	From   string  `json:"from" text:"name:node"`
	To     string  `json:"to" text:"name:node"`
	Began  Moment  `json:"began"`
	Ended  *Moment `json:"ended"`
	Open   bool    `json:"open"`
	Cause  string  `json:"cause,omitempty" text:"keep"`
	// Verdict is how far the cause is established.
	Verdict Verdict `json:"verdict,omitempty"`
	Seconds Range   `json:"seconds"` // of the whole span
	// First is what the advice begins with: what to do now of an open incident, else what would have been better; nil without any.
	First *FirstAdvice `json:"first,omitempty"`
	// Prevent is a field added since: what comes first of what prevents it.
	Prevent *FirstAdvice `json:"prevent,omitempty"`
	// Done is a field added since: the acts that are, or begin, a remedy, in the order of time.
	Done []ActDigest `json:"done,omitempty"`
}

// ActDigest is an act in short: the remedy that it is or begins, without the names of objects and people.
type ActDigest struct {
	Remedy string    `json:"remedy" text:"keep"`
	Title  string    `json:"title"`
	At     *Moment   `json:"at"`
	Effect ActEffect `json:"effect" text:"keep"`
	Saved  *Range    `json:"saved"` // see DoneAct
}

// FirstOf is the first of some options in short; nil without any.
func FirstOf(options ...Option) *FirstAdvice {
	for _, o := range options {
		return &FirstAdvice{Remedy: o.Remedy, Title: o.Title, Saved: o.Saved}
	}
	return nil
}

// FirstAdvice is the first option of an incident's advice in short.
type FirstAdvice struct {
	Remedy string `json:"remedy" text:"keep"`
	Title  string `json:"title"`
	Saved  *Range `json:"saved"`
}

// PhaseChange compares the length of one phase. Change is longer, shorter, same, or only-before and only-after.
type PhaseChange struct {
	ID     PhaseID `json:"id"`
	Before *Range  `json:"before"`
	After  *Range  `json:"after"`
	Change string  `json:"change" text:"keep"`
	By     *Range  `json:"by,omitempty"` // seconds, positive when longer
	// Unfinished says that the phase had not ended when the second collection, or the first, was made.
	Unfinished string `json:"unfinished,omitempty" text:"keep"` // before, after or both
}

// FaultChange is a finding of severity critical or warning that one side or both have: new, ended, still-open or uncovered.
type FaultChange struct {
	ID      string     `json:"id" text:"keep"` // of the check
	Title   string     `json:"title" text:"keep"`
	Change  ChangeKind `json:"change"`
	Objects []Ref      `json:"objects"`
	Text    string     `json:"text"` // what the later side says of it, that has it
}
