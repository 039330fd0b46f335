package model

// Unreadable is a file or directory of the bundle that the system did not let volpost read. What it holds is missing, which
// is not the same as not collected.
type Unreadable struct {
	Path string `json:"path"`
	Why  string `json:"why"` // as the system says, such as permission denied
	// Holds is what the path promises: a kind of Kubernetes object, a component whose log it is, HoldsAudit or HoldsMetrics;
	// "" when the path does not tell.
	Holds string `json:"holds,omitempty"`
}

// What an unreadable path can promise beside kinds and components.
const (
	HoldsAudit   = "audit"
	HoldsMetrics = "metrics"
)
