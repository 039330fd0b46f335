package logfile

import (
	"io"

	"github.com/volpost/volpost/model"
)

// Hint is what the place of a file tells about the container that wrote it. Any field may be empty.
type Hint struct {
	Namespace, Pod, Container string
	Path                      string
}

// Result is what one log file tells.
type Result struct {
	Input        model.Input
	Observations []model.Observation
	Problems     []model.Problem
}

// Sniff tells from the first bytes of a file (up to 64 KiB) whether it is a log that Read understands, and of which
// component, "" when that is not clear yet.
func Sniff(head []byte) (component string, ok bool) { return "", false }

// Read reads a whole log with bounded memory. It never fails: what it could not read is a Problem.
func Read(r io.Reader, path string, hint Hint) Result {
	n, err := io.Copy(io.Discard, r)
	res := Result{Input: model.Input{
		Path: path, Kind: model.InputLog, Bytes: n,
		Namespace: hint.Namespace, Pod: hint.Pod, Container: hint.Container,
	}}
	if err != nil {
		res.Problems = append(res.Problems, model.Problem{Severity: model.Failure, Path: path, Message: "reading stopped: " + err.Error()})
	}
	return res
}
