package model

// WhatIfVersion is the form of a WhatIf as JSON.
const WhatIfVersion = "volpost/whatif/v1"

// WhatIf is one incident replayed as a question wanted it, beside the incident as it was.
type WhatIf struct {
	Schema    string    `json:"schema" text:"keep"`
	Generator Generator `json:"generator"`
	Bundle    string    `json:"bundle" text:"root"` // as the user named it
	StandIn   *StandIn  `json:"standIn,omitempty"`
	// Asked is what is different, one sentence part for each remedy and setting, in the order in which it takes effect.
	Asked []string `json:"asked"`
	// Incident is as it was, with all of its remedies.
	Incident Incident `json:"incident"`
	// Answer is the incident as it would have been; its ID is what-if.
	Answer   Remediation `json:"answer"`
	Evidence []Evidence  `json:"evidence"`
	// Problems are those by which it has less than all of the bundle.
	Problems []Problem `json:"problems,omitempty"`
}
