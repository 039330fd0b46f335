// Package envelope finds the log messages in exports of log services: JSON documents of any depth and layout, JSON lines, and
// comma-separated tables. Amazon CloudWatch, Google Cloud Logging, Azure diagnostics and Log Analytics, Loki and Grafana, Elasticsearch,
// fluentd, stern and journald differ only in names and nesting of few members: message, time, writer. One walk serves them all.
//
// It knows no log syntax: what a message holds is package logline's to read.
package envelope

import (
	"bytes"
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxMessage is how many bytes of one message are kept.
const MaxMessage = 1 << 20

// Entry is one message of an envelope.
type Entry struct {
	Line  int    // physical line that the message begins on, counted from 1
	Raw   []byte // the message as it stands there, still escaped, without the quotes around it
	Text  []byte // the message
	Lost  int64  // bytes of the message beyond MaxMessage
	Time  time.Time
	From  Origin
	Event *Event // the entry is a Kubernetes Event; Text is its message
}

// Origin is what an envelope says of the writer. Any field may be empty.
type Origin struct {
	Namespace, Pod, Container string
	Host                      string // node or host
	Unit                      string // systemd unit or syslog identifier
	Stream                    string // stdout or stderr
	File                      string // source file of the statement, where the service took it out of the message
}

// Event is the rest of a Kubernetes Event that an exporter wrote as a log message.
type Event struct {
	Reason                     string
	Kind, Namespace, Name, UID string // of the object that it is about
	Component, Host            string // who reported it
	First, Last                time.Time
	Count                      int
}

// Within is the origin of a message inside one that came from outer, which fills what o does not say.
func (o Origin) Within(outer Origin) Origin {
	return Origin{
		Namespace: cmp.Or(o.Namespace, outer.Namespace), Pod: cmp.Or(o.Pod, outer.Pod), Container: cmp.Or(o.Container, outer.Container),
		Host: cmp.Or(o.Host, outer.Host), Unit: cmp.Or(o.Unit, outer.Unit), Stream: cmp.Or(o.Stream, outer.Stream),
		File: cmp.Or(o.File, outer.File),
	}
}

// lenient reads the escapes of what is no string of JSON as a whole, such as one that breaks off.
var lenient = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\/`, "/", `\n`, "\n", `\t`, "\t", `\r`, "\r")

// Unescape appends the content of a JSON string, given without its quotes, to dst. A bad escape is kept as it is.
func Unescape(dst, s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 {
		return append(dst, s...)
	}
	if text, err := jsontext.AppendUnquote(dst, `"`+string(s)+`"`); err == nil {
		return text
	}
	return append(dst, lenient.Replace(string(s))...)
}

func unescaped(b []byte) string { return string(Unescape(nil, b)) }
