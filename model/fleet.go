package model

// FleetVersion is the form of a Fleet as JSON.
const FleetVersion = "volpost/fleet/v1"

// FleetReport is what a fleet needs of one report.
type FleetReport struct {
	Schema  string `json:"schema"`
	Verdict struct {
		Status Status `json:"status"`
	} `json:"verdict"`
	Bundle    FleetBundle     `json:"bundle"`
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
	Remediations []struct {
		ID           string `json:"id"`
		Effect       string `json:"effect"`
		SavedSeconds *Range `json:"savedSeconds"`
		Safety       struct {
			State string `json:"state"`
		} `json:"safety"`
	} `json:"remediations"`
}

// Fleet sums up many reports. A usual hand-over is counted apart. An incident in several reports counts once, as the latest has it.
type Fleet struct {
	Schema    string    `json:"schema"`
	Generator Generator `json:"generator"`
	// PseudonymsOf is the name of its key where its names are pseudonyms.
	PseudonymsOf string `json:"pseudonymsOf,omitempty"`
	Reports      int    `json:"reports"`
	// Insufficient is the number of reports whose bundle could not have shown an incident.
	Insufficient int `json:"insufficient"`
	Incidents    int `json:"incidents"`
	Handovers    int `json:"handovers"`
	Open         int `json:"open"`     // incidents that had not ended at their collection
	Repeated     int `json:"repeated"` // incidents that a later report repeats
	// SecondsLost is the sum of the incidents' spans, without hand-overs; of open ones up to the collection.
	SecondsLost Range `json:"secondsLost"`

	Causes   []FleetCount  `json:"causes"`
	Drivers  []FleetCount  `json:"drivers"`
	Versions []FleetCount  `json:"versions"` // major.minor
	Clusters []FleetCount  `json:"clusters"`
	Phases   []FleetPhase  `json:"phases"`
	Remedies []FleetRemedy `json:"remedies"`
	Volumes  []FleetVolume `json:"volumes"` // with more than one incident or hand-over, most first
	Skipped  []Problem     `json:"skipped"` // files that are no report
}

// FleetCount is the incidents of one cause, driver, version or cluster.
type FleetCount struct {
	Name        string `json:"name"` // "" when the reports do not say
	Incidents   int    `json:"incidents"`
	Handovers   int    `json:"handovers"`
	SecondsLost Range  `json:"secondsLost"`
	// Reports are the files that have them.
	Reports []string `json:"reports,omitempty"`
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

// FleetRemedy is what one remedy alone would have saved, over all incidents. Remedies are alternatives: savings are never added up.
type FleetRemedy struct {
	ID        string `json:"id"`
	Helps     int    `json:"helps"` // incidents that it would have shortened or prevented
	Safe      int    `json:"safe"`  // of these, where it was safe as far as the bundle proves
	NotProven int    `json:"notProven"`
	Unsafe    int    `json:"unsafe"`
	// Unknown is the number of these whose saving is not known, such as of incidents that are still open.
	Unknown      int   `json:"unknown"`
	SecondsSaved Range `json:"secondsSaved"`
	// SecondsSavedSafe is the part of it that it would have saved where it was safe.
	SecondsSavedSafe Range    `json:"secondsSavedSafe"`
	Reports          []string `json:"reports,omitempty"`
}

// FleetVolume is one volume that was blocked or handed over several times.
type FleetVolume struct {
	Cluster     string   `json:"cluster"`
	Volume      string   `json:"volume"` // the claim, else the PersistentVolume, else the unique name
	Incidents   int      `json:"incidents"`
	Handovers   int      `json:"handovers"`
	SecondsLost Range    `json:"secondsLost"`
	Reports     []string `json:"reports,omitempty"`
}
