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

// remembered takes a row of a shell's history with an act. Its clock may be of any zone: the acts count back from the last row, which is often the
// command that printed them.
func (r *reader) remembered(l line) bool {
	digit := strings.TrimLeft(l.text, " ")
	if r.hint.Verbatim || digit == "" || strings.IndexByte("0123456789", digit[0]) < 0 {
		return false
	}
	m := historyRow().FindStringSubmatch(l.text)
	if m == nil {
		return false
	}
	if t, err := time.Parse(time.DateTime, strings.Replace(m[1], "T", " ", 1)); err == nil {
		l.at, l.floats = model.WholeSecond(t), true
	}
	if l.at.At.After(r.newest.At) {
		r.newest = l.at
	}
	l.text = shellPrompt + m[2]
	return r.typed(l, false)
}

// shellPrompt stands for the prompt behind which a history's command was typed.
const shellPrompt = "$ "

// speaker is who wrote a message of a chat.
var speaker = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:@?[\pL][\w.-]*(?: [\pL][\w.-]*){0,3}:|<@?[\w.-]+>) +`)
})

// inMessage reports that a line is a message of a chat, whose time and speaker are no prompt.
func inMessage(s string) bool {
	rest, _, _ := clocked(s)
	return speaker().MatchString(rest)
}

// authorFirst is a command that a person pasted, behind the person's name and the time.
var authorFirst = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^@?([\\pL][\\w.-]*) +(\\[?\\d{1,2}:\\d\\d(?::\\d\\d)?\\]?):? +(`?(?:kubectl|oc|k|aws|az|gcloud|openstack|nova|doctl|hcloud|ssh) .*)$")
})

// heading of a message are its time and who wrote it, on a line of their own: the message stands below.
var messageHeading = sync.OnceValue(func() *regexp.Regexp {
	const name, clock = `[\pL][\pL\d_.'-]*(?:,? [\pL][\pL\d_.'-]*){0,3}`, `\[?(\d{1,2}:\d\d(?::\d\d)?)( ?[AaPp][Mm])?\]?`
	return regexp.MustCompile(`^(?:` + clock + ` +` + name + `|` + name + `  ?` + clock + `)$`)
})

// spoken is when a message of a chat, or an entry of a list of times, was written: what stands in it without a time was pasted then.
type spoken struct {
	at      model.Moment
	floats  bool
	heading bool // a line of its own says so, up to the next; else its paragraph counts
}

// hears takes a line that dates what follows, or ends what another dated.
func (p *spoken) hears(s string) {
	if m := messageHeading().FindStringSubmatch(s); m != nil {
		*p = spoken{clockTime("", m[1]+m[3], m[2]+m[4], ""), true, true}
		return
	}
	rest, _, _ := clocked(s)
	over := s == "" && !p.heading
	if over || rest != "" || strings.HasPrefix(s, "#") {
		*p = spoken{}
	}
}

// message takes what a person pasted into a message, behind its time or below it: a command, what one answered, or a row of a table.
func (r *reader) message(l line) bool {
	if r.hint.Verbatim || r.taken(l) {
		return false
	}
	rest, at, floats := clocked(authorFirst().ReplaceAllString(l.text, "$2 $1: $3"))
	if rest == "" {
		return r.outcome(l) || r.typed(l, !l.at.IsZero())
	}
	l.at, l.floats, l.text = at, floats, strings.Trim(speaker().ReplaceAllString(rest, ""), "`")
	if r.outcome(l) {
		return true // its time is that of an attach
	}
	r.spoken = spoken{at: at, floats: floats}
	if c, ok := parseCommand(l.text); ok && c.acts == "" {
		r.close()
		r.command = c
		return false
	}
	return r.typed(l, true) || r.output(l) || r.shaped(l)
}

// prompted is a command behind a prompt.
var prompted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[^\"'=`]*[$#%>❯»λ✗➜] *[a-z]") })

// didIt is how people say that they ran the command above.
var didIt = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:ok,? |yes,? |yep,? )?(?:done|ran (?:it|that)|(?:i |just |i just )(?:ran|did)(?: it| that)?|did (?:it|that)|executed|gemacht|erledigt|ausgeführt|hecho|feito|fatto|fait)\b[^?]*$`)
})

// typed takes a command with an act: the command alone, since what it answered is not shown, unless what stands below it does. Without a prompt
// it counts only in a chat, as bare says, and there it was only written.
func (r *reader) typed(l line, bare bool) bool {
	o := model.Observation{Kind: model.CommandWritten}
	if r.prose.ran || prompted().MatchString(l.text) {
		o.Kind = model.CommandTyped
	}
	c, ok := parseCommand(l.text)
	switch {
	case !ok:
		c.target, c.acts = byHand(l.text, bare)
	case o.Kind == model.CommandTyped:
		o.Agent = kubectl
	}
	if o.Object, o.Detail = c.target, c.acts; c.acts == "" || slices.Contains(r.settled, c.acts) {
		return false
	}
	if l.at.IsZero() {
		o.Age = &model.Range{Max: sessionLasts}
	}
	r.close()
	r.command = c
	r.tell(l, o)
	r.asked = len(r.out)
	return true
}

// refusal is how kubectl, or who typed a command, ends one that did nothing.
var refusal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\^C|[Ee]rror: |Error from server(?: \(\w+\))?: |Unable to connect to the server|hcloud: |nova: |ERROR: |An error occurred \(\w+\) when calling )`)
})

// outcome notes that a command of a session was not carried out, or that the next message says that it was, and takes what a cloud answered.
func (r *reader) outcome(l line) bool {
	switch {
	case r.command.acts != "" && refusal().MatchString(l.text):
		r.answer()
	case r.clouded(l):
		return true
	case r.asked > 0 && l.number <= r.out[r.asked-1].Source.Line+2 && didIt().MatchString(l.text):
		r.out[r.asked-1].Kind = model.CommandTyped
	}
	return false
}

// clouds are how the clients of clouds say where a disk is: as one word, a field, a cell of a row, or of an operation.
var clouds = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:\W*(?:(?:state|status)\W+)?|.*  )(detaching|detached|available)(?:\W*$|  )|^Volume \S+ (detached)$|^(Updated) \[https://|(in-progress) +detach`)
})

// clouded takes what a cloud's client says below a command for a disk.
func (r *reader) clouded(l line) bool {
	m := clouds().FindStringSubmatch(l.text)
	if m == nil || r.asked == 0 || r.out[r.asked-1].Object.Kind != "Disk" {
		return false
	}
	o := model.Observation{Kind: model.DiskFree, Object: r.out[r.asked-1].Object, Detail: strings.ToLower(m[1] + m[2] + m[3])}
	if m[4] != "" || o.Detail == "detaching" {
		o.Kind, o.Detail = model.DiskAttached, "detaching"
	}
	return r.tell(l, o)
}

// answer notes that the answer to the command above is shown: that it was typed is no more all that is known.
func (r *reader) answer() {
	if r.asked > 0 {
		r.out = slices.Delete(r.out, r.asked-1, r.asked)
	}
	if r.asked = 0; r.command.acts != "" && len(r.settled) < maxProse {
		r.settled = append(r.settled, r.command.acts)
	}
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
