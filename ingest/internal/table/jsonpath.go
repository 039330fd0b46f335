package table

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
)

// asked is the template of -o jsonpath in a command line.
var asked = regexp.MustCompile(`(?:-o|--output)[ =]*jsonpath=(?:'([^']*)'|"([^"]*)"|(\S+))`)

// cutTemplate takes the template, which may hold blanks, out of a command line.
func cutTemplate(s string) (rest, template string) {
	m := asked.FindStringSubmatchIndex(s)
	if m == nil {
		return s, ""
	}
	for group := 2; group < len(m); group += 2 {
		if m[group] >= 0 {
			template = s[m[group]:m[group+1]]
		}
	}
	return s[:m[0]] + s[m[1]:], strings.ReplaceAll(template, " ", "")
}

// answer is what one line below a command with -o jsonpath says: the value of a field alone, or names with the field of each.
type answer struct {
	kind     string
	template *regexp.Regexp
	named    bool // each line begins with the name of the object
	read     func(name, namespace string, values []string) []model.Observation
}

var claimsTemplate = `\.spec\.volumes\[[^}]*\]\.persistentVolumeClaim\.claimName\}`

var answers = []answer{
	{"Pod", regexp.MustCompile(`^\{` + claimsTemplate), false, usesClaims},
	{"Pod",
		regexp.MustCompile(`^\{range\.items\[\*\]\}\{\.metadata\.name\}\{"\\t"\}\{` + claimsTemplate + `\{"\\n"\}\{end\}$`),
		true, usesClaims},
	{"PersistentVolumeClaim", regexp.MustCompile(`^\{\.spec\.volumeName\}`), false, boundTo},
	{"Node", regexp.MustCompile(`^\{\.status\.conditions\[\?\(@\.type==\\?"Ready\\?"\)\]\.status\}`), false, readyStatus},
	{"VolumeAttachment", regexp.MustCompile(`^\{\.status\.attached\}`), false, attachedStatus},
}

// answered takes a line below a command whose template is known.
func (r *reader) answered(l line) bool {
	c := r.command
	if c.template == "" {
		return false
	}
	words := strings.Fields(l.text)
	for _, a := range answers {
		if a.kind != c.kind || !a.template.MatchString(c.template) {
			continue
		}
		name := c.name
		if a.named {
			name, words = validName(words[0]), words[1:]
		} else {
			r.command.template = "" // it prints one line
		}
		if name == "" {
			return false
		}
		row := row{at: l, path: r.path}
		for _, o := range a.read(name, r.namespace(), words) {
			row.say(o)
		}
		r.commit()
		r.record(row.out, len(l.raw))
		return len(row.out) > 0
	}
	return false
}

// usesClaims reads the claims of a pod: one that has none names no volume that Kubernetes attaches for it.
func usesClaims(name, namespace string, values []string) (out []model.Observation) {
	pod := model.PodRef(namespace, name, "")
	if len(values) == 0 {
		return []model.Observation{{Kind: model.PodUses, Object: pod, Pod: pod}}
	}
	for _, v := range values {
		if !nameText(v) {
			return nil
		}
		out = append(out, model.Observation{Kind: model.PodUses, Object: pod, Pod: pod,
			Claim: model.Ref{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: v}})
	}
	return out
}

func boundTo(name, namespace string, values []string) []model.Observation {
	if len(values) != 1 || !nameText(values[0]) {
		return nil
	}
	claim := model.Ref{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: name}
	return []model.Observation{{Kind: model.VolumeBound, Object: claim, Claim: claim, Detail: "Bound",
		Volume: model.VolumeID{PersistentVolume: values[0]}}}
}

func readyStatus(name, _ string, values []string) []model.Observation {
	o := model.Observation{Object: model.Ref{Kind: "Node", Name: name}, Node: name}
	switch {
	case len(values) != 1:
		return nil
	case values[0] == "True":
		o.Kind = model.NodeReady
	case values[0] == "False" || values[0] == "Unknown":
		o.Kind, o.Detail = model.NodeNotReady, values[0]
	default:
		return nil
	}
	return []model.Observation{o}
}

func attachedStatus(name, _ string, values []string) []model.Observation {
	o := model.Observation{Object: model.Ref{Kind: "VolumeAttachment", Name: name}, Attachment: name, Kind: model.AttachmentPending}
	if len(values) != 1 || values[0] != "true" && values[0] != "false" {
		return nil
	}
	if values[0] == "true" {
		o.Kind = model.AttachmentAttached
	}
	return []model.Observation{o}
}

// maxContinued bounds a command that goes over several lines, in bytes.
const maxContinued = 4096

// continued joins a command that goes on in the next line, which a backslash says. It answers false while it does.
func (r *reader) continued(s string) (whole string, ok bool) {
	if r.half == "" {
		if _, command := afterTool(s); !command || !strings.HasSuffix(s, `\`) {
			return s, true
		}
	}
	rest, more := strings.CutSuffix(s, `\`)
	r.half += strings.TrimSpace(rest) + " "
	if more && len(r.half) < maxContinued {
		return "", false
	}
	whole, r.half = strings.TrimSpace(r.half), ""
	return whole, true
}
