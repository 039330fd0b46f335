// Package truth writes down what happened in a recording, from watches of the API server, never from a log of the bundle.
package truth

import (
	"encoding/json"
	"os"
	"time"
)

// Time is an instant in milliseconds; the zero Time is null in JSON.
type Time struct{ time.Time }

// Now is the present instant.
func Now() Time { return Time{time.Now().UTC()} }

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	return json.Unmarshal(b, &t.Time)
}

// Action is something that was done to the cluster: by an operator, or by the recorder as a fault.
type Action struct {
	At     Time   `json:"at"`
	Done   Time   `json:"done"`
	What   string `json:"what"`
	Detail string `json:"detail,omitempty"`
}

// Truth is the file beside a bundle.
type Truth struct {
	Recording       string            `json:"recording"`
	Scenario        string            `json:"scenario"`
	CauseClass      string            `json:"causeClass"`
	Description     string            `json:"description"`
	Version         string            `json:"k8sVersion"`
	Components      map[string]string `json:"components"`
	ControllerFlags []string          `json:"kcmFlags"`
	Tolerance       int               `json:"defaultTolerationSeconds"`
	Begin           Time              `json:"recordingBegin"`
	SnapshotAt      Time              `json:"snapshotAt"`
	LostNode        string            `json:"lostNode,omitempty"`
	Affected        []*Affected       `json:"affected"`
	Terminating     []Terminating     `json:"podsTerminatingAtSnapshot"`
	Attachments     []Attachment      `json:"volumeAttachments"`
	OperatorActions []Action          `json:"operatorActions"`
	Faults          []Action          `json:"faults"`
	Innocent        []string          `json:"innocentWorkloads"`
	Leaders         []Leader          `json:"kcmLeaders,omitempty"`
	Notes           []string          `json:"notes,omitempty"`
}

// Attachment is the life of one VolumeAttachment. One that is deleted and comes back under its old name is two of them.
type Attachment struct {
	Name             string `json:"name"`
	Volume           string `json:"pv"`
	Node             string `json:"node"`
	Created          Time   `json:"created"`
	Attached         Time   `json:"attached"`
	Deletion         Time   `json:"deletion"`
	FirstDetachError Time   `json:"firstDetachError"`
	Gone             Time   `json:"gone"`

	uid, detachError string
}

// Terminating is a pod that was deleted and still there at the end.
type Terminating struct {
	Namespace         string   `json:"namespace"`
	Pod               string   `json:"pod"`
	UID               string   `json:"uid"`
	Node              string   `json:"node"`
	Owner             string   `json:"owner"`
	Claims            []string `json:"pvcs"`
	DeleteRequested   Time     `json:"deleteRequested"`
	DeletionTimestamp Time     `json:"deletionTimestampValue"`
	Grace             int64    `json:"grace"`
}

// Leader says who led the controller managers from when.
type Leader struct {
	Holder string `json:"holder"`
	From   Time   `json:"from"`
}

// Read reads a truth.json.
func Read(path string) (*Truth, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := new(Truth)
	return t, json.Unmarshal(b, t)
}

// Write writes a truth.json.
func (t *Truth) Write(path string) error {
	b, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}
