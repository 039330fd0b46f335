package alert

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/volpost/volpost/model"
)

// openShiftReleases are the releases of kube-state-metrics by the minor version of OpenShift 4 from which on they are in
// it (jsonnet/versions.yaml of cluster-monitoring-operator, by branch). In between the one before is taken: its labels are
// in the later one, too.
var openShiftReleases = []struct {
	minor   int
	release Release
}{{6, Release{1, 9}}, {8, Release{2, 0}}, {12, Release{2, 6}}, {14, Release{2, 9}}, {16, Release{2, 12}}, {18, Release{2, 13}}, {20, Release{2, 16}}, {22, Release{2, 18}}}

// Detect is the set-up of the cluster that a snapshot was taken of, as far as its objects tell; what they do not tell is
// that of DefaultSetup. How metrics are scraped is not among them.
func Detect(s *model.Snapshot) Setup {
	out := DefaultSetup()
	known := false
	if versions := model.Newest(s.ClusterVersions); len(versions) > 0 {
		out.OpenShift = true
		out.Because = append(out.Because, "The bundle has a ClusterVersion, which only OpenShift has.")
		if r, ok := openShiftRelease(versions[0].Value().Version); ok {
			out.Release, known = r, true
			out.Because = append(out.Because, fmt.Sprintf("kube-state-metrics %s is taken from the version of OpenShift.", r))
		}
	}
	if r, ok := ofImages(s); ok {
		out.Release, known = r, true
		out.Because = append(out.Because, fmt.Sprintf("kube-state-metrics %s is taken from the image of its pod.", r))
	}
	if !known {
		out.Because = append(out.Because, fmt.Sprintf("Nothing tells the version of kube-state-metrics: %s is assumed; --ksm-version names another.", out.Release))
	}
	out.Because = append(out.Because, "honor_labels: true is assumed; --honor-labels=false is for the other.")
	return out
}

func openShiftRelease(version string) (Release, bool) {
	rest, ok := strings.CutPrefix(version, "4.")
	text, _, _ := strings.Cut(rest, ".")
	minor, err := strconv.Atoi(text)
	var out Release
	if !ok || err != nil {
		return out, false
	}
	for _, o := range openShiftReleases {
		if o.minor <= minor {
			out = o.release
		}
	}
	return out, out != Release{}
}

// ofImages is the oldest release that an image of kube-state-metrics is tagged with: its rules work for the others, too.
func ofImages(s *model.Snapshot) (oldest Release, ok bool) {
	for _, pod := range s.Pods {
		for _, c := range pod.Value().Spec.Containers {
			repository, _, _ := strings.Cut(c.Image, "@")
			at := strings.LastIndexByte(repository, ':')
			if at < 0 || !strings.HasSuffix(repository[:at], "/kube-state-metrics") {
				continue
			}
			if r, err := ParseRelease(repository[at+1:]); err == nil && !r.Before(Oldest) && (!ok || r.Before(oldest)) {
				oldest, ok = r, true
			}
		}
	}
	return oldest, ok
}
