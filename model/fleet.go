package model

// FleetVersion is the form of a Fleet as JSON.
const FleetVersion = "volpost/fleet/v1"

// FleetReport is what a fleet needs of one report.
type FleetReport struct {
	Schema  string `json:"schema"`
	Verdict struct {
		Status   Status `json:"status"`
		Headline string `json:"headline"`
	} `json:"verdict"`
	Bundle    FleetBundle     `json:"bundle"`
	Redaction *Redaction      `json:"redaction"` // its names are pseudonyms, which mean something else in each report
	Incidents []FleetIncident `json:"incidents"`
	// Page is what a reader opens of it: the HTML beside the JSON where there is one. It is not in the report.
	Page string `json:"-"`
}

// FleetBundle is what a fleet needs of a report's bundle.
type FleetBundle struct {
	Identities        []string `json:"identities"`
	KubernetesVersion string   `json:"kubernetesVersion"`
	CapturedAt        *Moment  `json:"capturedAt"`
}

// FleetIncident is what a fleet needs of an incident.
type FleetIncident struct {
	ID      string         `json:"id"`
	Cluster string         `json:"cluster"`
	Volume  IncidentVolume `json:"volume"`
	Span    struct {
		Seconds Range `json:"seconds"`
		Open    bool  `json:"open"`
	} `json:"span"`
	Phases []struct {
		ID      PhaseID `json:"id"`
		Seconds Range   `json:"seconds"`
	} `json:"phases"`
	Causes []struct {
		ID      string  `json:"id"`
		Verdict Verdict `json:"verdict"`
	} `json:"causes"`
	// Advice has the first of each list that a fleet sums up; nil of a hand-over, and of reports of earlier versions.
	Advice *FleetAdvice `json:"advice"`
}

// FleetAdvice is what a fleet needs of the advice of an incident.
type FleetAdvice struct {
	Now     []FleetOption `json:"now"`
	Better  []FleetOption `json:"better"`
	Prevent []FleetOption `json:"prevent"`
}

// FleetOption is what a fleet needs of an option.
type FleetOption struct {
	Remedy   string `json:"remedy"`
	Saved    *Range `json:"saved"`
	DataRisk string `json:"dataRisk"`
}

// Fleet sums up many reports. A usual hand-over is counted apart. An incident in several reports counts once, as the latest has it.
type Fleet struct {
	Schema    string    `json:"schema" text:"keep"`
	Generator Generator `json:"generator"`
	// PseudonymsOf is the name of its key where its names are pseudonyms.
	PseudonymsOf string `json:"pseudonymsOf,omitempty" text:"root"`
	Reports      int    `json:"reports"`
	// Insufficient is the number of reports whose bundle could not have shown an incident.
	Insufficient int `json:"insufficient"`
	Incidents    int `json:"incidents"`
	Handovers    int `json:"handovers"`
	Open         int `json:"open"`     // incidents that had not ended at their collection
	Repeated     int `json:"repeated"` // incidents that a later report repeats
	// SecondsLost is the sum of the incidents' spans, without hand-overs; of open ones up to the collection.
	SecondsLost Range `json:"secondsLost"`

	Causes   []FleetCount `json:"causes"`
	Drivers  []FleetCount `json:"drivers"`
	Versions []FleetCount `json:"versions"` // major.minor
	Clusters []FleetCount `json:"clusters"`
	Phases   []FleetPhase `json:"phases"`
	// Remedies are those that the advice puts first, now or at a moment of the past; Prevent those that it puts first before the next one.
	Remedies []FleetRemedy `json:"remedies"`
	Prevent  []FleetRemedy `json:"prevent"`
	Volumes  []FleetVolume `json:"volumes"` // with more than one incident or hand-over, most first
	// Faults are what the reports tell whose verdict is a fault, by their names.
	Faults  []FleetFault `json:"faults,omitempty"`
	Skipped []Problem    `json:"skipped"` // files that are no report
}

// FleetFault is what keeps a pod from its volume, or an object stuck, without a Multi-Attach.
type FleetFault struct {
	Report   string `json:"report" text:"path"`
	Headline string `json:"headline"`
}

// FleetCount is the incidents of one cause, driver, version or cluster.
type FleetCount struct {
	Name        string `json:"name"` // "" when the reports do not say
	Incidents   int    `json:"incidents"`
	Handovers   int    `json:"handovers"`
	SecondsLost Range  `json:"secondsLost"`
	// Reports are the files that have them.
	Reports []string `json:"reports,omitempty" text:"path"`
}

// FleetPhase is how long a phase took in the incidents in which it ended, in seconds.
type FleetPhase struct {
	ID     PhaseID `json:"id"`
	Count  int     `json:"count"`
	Median float64 `json:"median"`
	P90    float64 `json:"p90"`
	Max    float64 `json:"max"`
	Total  float64 `json:"total"`
}

// FleetRemedy is what a remedy would have saved in the incidents whose advice begins with it.
type FleetRemedy struct {
	ID        string `json:"id" text:"keep"`
	Helps     int    `json:"helps"` // incidents whose advice begins with it
	Safe      int    `json:"safe"`  // of these, where it has no risk for the data
	NotProven int    `json:"notProven"`
	Unsafe    int    `json:"unsafe"`
	// Unknown is the number of these whose saving is not known, such as of incidents that are still open.
	Unknown      int   `json:"unknown"`
	SecondsSaved Range `json:"secondsSaved"`
	// SecondsSavedSafe is the part of it that it would have saved where it was safe.
	SecondsSavedSafe Range    `json:"secondsSavedSafe"`
	Reports          []string `json:"reports,omitempty" text:"path"`
}

// FleetVolume is one volume that was blocked or handed over several times.
type FleetVolume struct {
	Cluster     string   `json:"cluster" text:"name:cluster"`
	Volume      string   `json:"volume" text:"name:vol"` // the claim, else the PersistentVolume, else the unique name
	Incidents   int      `json:"incidents"`
	Handovers   int      `json:"handovers"`
	SecondsLost Range    `json:"secondsLost"`
	Reports     []string `json:"reports,omitempty" text:"path"`
}
