package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// historyRow is a row of a shell's history: its number, the time where HISTTIMEFORMAT gives one as most set it, and the command.
var historyRow = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^ *\d{1,6}\*?  ?(?:(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d) +)?(\S.*)$`)
})

// remembered takes a row of a shell's history with an act: the command alone, since what it answered is not shown. Its clock may be of any zone: the
// acts count back from the last row, which is often the command that printed them.
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
	if !ok || c.acts == "" {
		return false
	}
	r.close()
	o := model.Observation{Kind: model.CommandTyped, Object: c.target, Detail: c.acts, Agent: kubectl}
	if at.IsZero() {
		o.Age = &model.Range{Max: sessionLasts}
	} else {
		o.At, o.Last, o.Floating = at, at, true
	}
	return r.tell(l, o)
}

// acting are the verbs of kubectl that change an object.
var acting = []string{"delete", "cordon", "drain", "uncordon", "taint", "scale", "restart", "undo", "patch"}

// asking has the act on one object that a command asks for, from its words without the flags, and written without what does not matter.
func (c command) asking(args []string, forced bool) command {
	verb := args[0]
	if verb == "rollout" && len(args) > 1 {
		args = args[1:]
		verb += " " + args[0]
	}
	if !slices.Contains(acting, args[0]) || len(args) < 2 {
		return c
	}
	kind, name, joined := strings.Cut(args[1], "/")
	rest := args[2:]
	if strings.HasSuffix(verb, "cordon") || verb == "drain" {
		kind, name = "node", cmp.Or(name, kind)
	} else if !joined && len(rest) > 0 {
		name, rest = rest[0], rest[1:]
	}
	kind, _, _ = strings.Cut(kind, ".") // volumeattachments.storage.k8s.io
	if kind = manifest.KindCalled(kind); kind == "" || !nameText(name) {
		return c
	}
	c.target = model.Ref{Kind: kind, Name: name}
	if !manifest.ClusterScoped(kind) {
		c.target.Namespace = c.namespace
	}
	c.acts = "kubectl " + verb + " " + strings.ToLower(kind) + " " + name
	switch {
	case verb == "taint":
		c.acts += " " + words.Clip(strings.Join(rest, " "), maxTaint)
	case forced && verb == "delete":
		c.acts += " --force"
	case c.replicas != "":
		c.acts += " --replicas=" + c.replicas
	case c.unholds:
		c.acts += " without finalizers"
	}
	return c
}

// maxTaint is how much of the taints of a command is told.
const maxTaint = 100
