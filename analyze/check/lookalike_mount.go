package check

import (
	"regexp"
	"slices"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

var (
	// mountCall begins the error of an operation of a volume's mount; that of the first is of the wait for its attach.
	mountCall = regexp.MustCompile(`^(?:MountVolume\.(?:MountDevice|SetUp)|MapVolume\.\w+) failed for volume "pvc-[^"]*"`)
	// answered is a driver, or a command of the node, that answered with an error; a time-out is none.
	answered = regexp.MustCompile(`rpc error: code = |mount failed|exit status \d`)
	unanswer = regexp.MustCompile(`DeadlineExceeded|deadline exceeded|Aborted desc = (?:pending|an operation with)|Operation already exists`)
)

// mountError reports the error with which the mount or the mapping of a volume failed.
func mountError(text string) bool {
	return mountCall.MatchString(text) && answered.MatchString(text) && !unanswer.MatchString(text)
}

// mountedSince reports that the containers of a pod whose mount failed have started since.
func mountedSince(w *reconstruct.World, o *model.Observation) bool {
	if p, ok := w.Pod(o.Pod); ok {
		return !creating(p)
	}
	return slices.ContainsFunc(w.OfPod(o.Pod), func(s *model.Observation) bool {
		started := s.Kind == model.PodRunning || s.Kind == model.PodReady ||
			s.Kind == model.KubernetesEvent && slices.Contains([]string{"Pulling", "Pulled", "Created", "Started"}, s.Detail)
		return started && (s.At.IsZero() || s.At.At.After(o.Last.At))
	})
}

// reasonNamed reports that a look-alike says more of an error than its text.
func reasonNamed(o *model.Observation) bool {
	kind := kindOf(o)
	return kind != "" && kind != "not-multi-attach-mount"
}
