package alert

import (
	"fmt"
	"strconv"
	"strings"
)

// Release is a release of kube-state-metrics, without its patch level.
type Release struct{ Major, Minor int }

// Releases at which something that the rules use changed.
var (
	// Oldest is the first release with metrics of VolumeAttachments.
	Oldest = Release{1, 9}
	// Newest is the newest release whose labels were looked up; later ones are taken to be like it.
	Newest      = Release{2, 20}
	second      = Release{2, 0}  // node, not nodeName; any reason of waiting; kube_pod_deletion_timestamp
	withUID     = Release{2, 1}  // uid on every metric of pods
	withPVModes = Release{2, 20} // kube_persistentvolume_access_mode
	// beforePVModes is the last one without that.
	beforePVModes = Release{2, 19}
	openShiftKSM  = Release{2, 0} // of OpenShift 4.8, the first that drops what ends in _created
)

// ParseRelease reads a version such as 2.13, v2.13.0 or 2.13.0-rc.1.
func ParseRelease(text string) (Release, error) {
	major, rest, ok := strings.Cut(strings.TrimPrefix(text, "v"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	minor, _, _ = strings.Cut(minor, "-")
	a, errA := strconv.ParseUint(major, 10, 16)
	b, errB := strconv.ParseUint(minor, 10, 16)
	if !ok || errA != nil || errB != nil {
		return Release{}, fmt.Errorf("%q is no version of kube-state-metrics such as 2.13.0", text)
	}
	return Release{int(a), int(b)}, nil
}

// Before reports whether r is older than o.
func (r Release) Before(o Release) bool {
	return r.Major < o.Major || r.Major == o.Major && r.Minor < o.Minor
}

// String is the release as people write it, such as 2.13.
func (r Release) String() string { return fmt.Sprintf("%d.%d", r.Major, r.Minor) }

// Setup is what the expressions depend on.
type Setup struct {
	Release      Release
	OpenShift    bool // its monitoring drops every metric of kube-state-metrics that ends in _created
	TargetLabels bool // scraped with honor_labels: false, so that clashing labels of the exporter are called exported_…
	MultiCluster bool // one store for several clusters, told apart by the label cluster

	Because []string // how the above is known, one sentence each
}

// DefaultSetup is a current kube-state-metrics, scraped as its charts do.
func DefaultSetup() Setup { return Setup{Release: Newest} }

// String describes the set-up in a few words.
func (s Setup) String() string {
	words := []string{"kube-state-metrics " + s.Release.String()}
	if s.OpenShift {
		words = append(words, "OpenShift monitoring")
	}
	if s.TargetLabels {
		words = append(words, "honor_labels: false")
	} else {
		words = append(words, "honor_labels: true")
	}
	if s.MultiCluster {
		words = append(words, "several clusters")
	}
	return strings.Join(words, ", ")
}

// dropsCreated reports that no metric ends in _created.
func (s Setup) dropsCreated() bool { return s.OpenShift && !s.Release.Before(openShiftKSM) }

// SetRelease sets the release by a version such as 2.13.0.
func (s *Setup) SetRelease(version string) error {
	r, err := ParseRelease(version)
	if err != nil {
		return err
	}
	if r.Before(Oldest) {
		return fmt.Errorf("kube-state-metrics %s has no metrics of VolumeAttachments; %s is the first that has", r, Oldest)
	}
	s.Release = r
	return nil
}
