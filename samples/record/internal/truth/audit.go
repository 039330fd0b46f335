package truth

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// slack is how far an arrival at the watch may lie from the API server's own record of the request before the two contradict each other.
const slack = 1500 * time.Millisecond

// Check compares the truth with an audit log of the API server. It returns the greatest distance between the two and what does not agree.
func (t *Truth) Check(log io.Reader) (time.Duration, []string, error) {
	c := checker{seen: map[string][]time.Time{}, bare: map[string]bool{}}
	s := bufio.NewScanner(log)
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		var e auditEvent
		if err := json.Unmarshal(s.Bytes(), &e); err != nil {
			return 0, nil, err
		}
		if e.Stage == "ResponseComplete" && e.ResponseStatus.Code < 300 {
			c.add(&e)
		}
	}
	for _, a := range t.Affected {
		c.affected(a)
	}
	return c.worst, c.wrong, s.Err()
}

type auditEvent struct {
	Verb, Stage                   string
	ObjectRef                     struct{ Resource, Namespace, Name, Subresource string }
	ResponseStatus                struct{ Code int }
	RequestObject, ResponseObject json.RawMessage
	StageTimestamp                time.Time
}

type checker struct {
	seen  map[string][]time.Time // by what happened, and to which object
	bare  map[string]bool        // attachments without a finalizer: not seen by the attacher yet, or erased by somebody
	worst time.Duration
	wrong []string
}

func (c *checker) add(e *auditEvent) {
	o := e.ObjectRef
	name := o.Namespace + "/" + o.Name
	request, response := string(e.RequestObject), string(e.ResponseObject)
	note := func(what, name string) { c.seen[what+" "+name] = append(c.seen[what+" "+name], e.StageTimestamp) }
	switch kind := strings.TrimSuffix(o.Resource+"/"+o.Subresource, "/"); kind {
	case "volumeattachments":
		note("attachment "+e.Verb, o.Name)
		finalized := strings.Contains(response, `"finalizers"`)
		switch {
		case e.Verb == "delete" && c.bare[o.Name],
			// The last finalizer's removal is what ends an object that is deleted.
			e.Verb != "delete" && strings.Contains(response, `"deletionTimestamp"`) && !finalized:
			note("attachment gone", o.Name)
		case e.Verb != "delete":
			c.bare[o.Name] = !finalized
		}
	case "volumeattachments/status":
		if strings.Contains(response, `"attached":true`) {
			note("attachment attached", o.Name)
		}
	case "pods/binding":
		note("bind", name)
	case "pods", "pods/eviction":
		if e.Verb == "delete" || o.Subresource == "eviction" {
			note("pod delete", name)
		}
	case "events":
		if m := multiAttach.FindStringSubmatch(strings.ReplaceAll(request, `\"`, `"`)); m != nil && e.Verb == "create" {
			note("report", m[1])
		}
	}
}

func (c *checker) affected(a *Affected) {
	t := a.Times
	c.compare("report", a.Volume, t.MultiAttach)
	c.compare("attachment delete", a.Blocking, t.OldDeletion)
	c.compare("attachment gone", a.Blocking, t.OldGone)
	c.compare("attachment create", a.New, t.NewCreated)
	c.compare("attachment attached", a.New, t.NewAttached)
	c.compare("bind", a.Namespace+"/"+a.NewPod, t.NewPodScheduled)
	c.compare("pod delete", a.Namespace+"/"+a.OldPod, t.OldPodDelete)
	c.compare("pod delete", a.Namespace+"/"+a.OldPod, t.OldPodGone)
}

func (c *checker) compare(what, name string, t Time) {
	if t.IsZero() {
		return
	}
	best := time.Hour
	for _, s := range c.seen[what+" "+name] {
		best = min(best, t.Sub(s).Abs())
	}
	if best > slack {
		c.wrong = append(c.wrong,
			fmt.Sprintf("%s of %s: truth says %s, the audit log %v", what, name, t.Format("15:04:05.000"), c.seen[what+" "+name]))
		return
	}
	c.worst = max(c.worst, best)
}
