package table

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// historyRow is a row of a shell's history: its number, the time where HISTTIMEFORMAT gives one as most set it, and the command.
var historyRow = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^ *\d{1,6}\*?  ?(?:(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d) +)?(\S.*)$`)
})

// remembered takes a row of a shell's history with an act: its answer is not shown, and counts as the one that it has when it does what it asks. Its clock
// may be of any zone: the acts count back from the last row, which is often the command that printed them.
func (r *reader) remembered(l line) bool {
	digit := strings.TrimLeft(l.text, " ")
	if r.hint.Verbatim || digit == "" || digit[0] < '0' || digit[0] > '9' {
		return false
	}
	m := historyRow().FindStringSubmatch(l.text)
	if m == nil {
		return false
	}
	var at model.Moment
	if t, err := time.Parse(time.DateTime, strings.Replace(m[1], "T", " ", 1)); err == nil {
		at = model.WholeSecond(t)
	}
	if at.At.After(r.newest.At) {
		r.newest = at
	}
	c, ok := parseCommand(m[2])
	if !ok || c.answer == "" {
		return false
	}
	r.close()
	r.command = c
	from := len(r.out)
	l.text = c.answer
	if !r.output(l) {
		return false
	}
	for i := from; i < len(r.out); i++ {
		if o := &r.out[i]; o.Agent == kubectl && !at.IsZero() {
			o.At, o.Last, o.Floating = at, at, true
		} else if o.Agent == kubectl {
			o.Age = &model.Range{Max: sessionLasts}
		}
	}
	r.command = command{}
	return true
}

// did is what a command answers that it did to an object.
var did = map[string]string{"delete": "deleted", "cordon": "cordoned", "drain": "cordoned", "uncordon": "uncordoned", "taint": "tainted",
	"scale": "scaled", "restart": "restarted", "undo": "rolled back", "patch": "patched"}

// answer is what a command prints that acts on one object, from its words without the flags; "" for any other.
func answer(words []string, forced bool) string {
	if words[0] == "rollout" && len(words) > 1 {
		words = words[1:]
	}
	done := did[words[0]]
	if done == "" || len(words) < 2 {
		return ""
	}
	kind, name, joined := strings.Cut(words[1], "/")
	if strings.HasSuffix(done, "cordoned") {
		kind, name = "node", cmp.Or(name, kind)
	} else if !joined && len(words) > 2 {
		name = words[2]
	}
	if kind = strings.ToLower(manifest.KindCalled(kind)); kind == "" || name == "" {
		return ""
	}
	if done == "tainted" && strings.HasSuffix(words[len(words)-1], "-") {
		done = "untainted"
	}
	if done == "deleted" && kind != "pod" {
		return "" // a pod's is a request; of what else is gone only its answer or a list tells
	}
	if done != "deleted" {
		return kind + "/" + name + " " + done
	} else if forced {
		done = "force deleted"
	}
	return kind + ` "` + name + `" ` + done
}
