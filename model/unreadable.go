package model

// Unreadable is a path that the system did not let volpost read: what it holds is missing, and not uncollected.
type Unreadable struct {
	Path string `json:"path" text:"path"`
	Why  string `json:"why" text:"keep"` // as the system says, such as permission denied
	// Holds is what the path promises: a kind of object, a component whose log it is, HoldsAudit or HoldsMetrics; or "".
	Holds string `json:"holds,omitempty" text:"keep"`
}

// What an unreadable path can promise beside kinds and components.
const (
	HoldsAudit   = "audit"
	HoldsMetrics = "metrics"
	HoldsProse   = "prose" // it was read, and is no output of Kubernetes
)
