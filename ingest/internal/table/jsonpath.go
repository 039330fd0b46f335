package table

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// answer is what the line below a command with -o jsonpath says: the value of one field of one object.
type answer struct {
	kind     string
	template *regexp.Regexp
	read     func(name, namespace string, values []string) []model.Observation
}

var claimsTemplate = `\.spec\.volumes\[[^}]*\]\.persistentVolumeClaim\.claimName\}`

var answers = []answer{
	{"Pod", regexp.MustCompile(`^\{` + claimsTemplate), usesClaims},
	{"Pod", regexp.MustCompile(`^\{\.spec\.nodeName\}$`), scheduledOn},
	{"PersistentVolumeClaim", regexp.MustCompile(`^\{\.spec\.volumeName\}`), boundTo},
	{"Node", regexp.MustCompile(`^\{\.status\.conditions\[\?\(@\.type==\\?"Ready\\?"\)\]\.status\}`), readyStatus},
	{"VolumeAttachment", regexp.MustCompile(`^\{\.status\.attached\}`), attachedStatus},
}

// answered takes the line below a command that asks for one field of one object.
func (r *reader) answered(l line) bool {
	c := r.command
	if c.template == "" || c.columns != nil || c.name == "" {
		return false
	}
	r.command.template = "" // it prints one line
	read := plainField(c.kind, c.template)
	for _, a := range answers {
		if a.kind == c.kind && a.template.MatchString(c.template) {
			read = a.read
		}
	}
	if read == nil {
		return false
	}
	out := read(c.name, r.namespace(), strings.Fields(l.text))
	return len(out) > 0 && r.tell(l, out...)
}

// plainPath is a field of an object that is no list and holds neither a secret nor a program: what is said back of it is its value.
var (
	plainPath  = regexp.MustCompile(`^\{(\.(?:(?:spec|status)(?:\.[a-z][A-Za-z]*)+|[a-z][A-Za-z]*))\}$`)
	plainValue = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$`)
)

// plainField reads such a field; nil for any other. A phase is the state itself.
func plainField(kind, template string) func(name, namespace string, values []string) []model.Observation {
	m := plainPath.FindStringSubmatch(template)
	if m == nil || kind == "" {
		return nil
	}
	field := m[1][strings.LastIndexByte(m[1], '.')+1:]
	return func(name, namespace string, values []string) []model.Observation {
		if len(values) != 1 || !plainValue.MatchString(values[0]) {
			return nil
		}
		o := model.Observation{Kind: model.ObjectShown, Object: model.Ref{Kind: kind, Namespace: namespace, Name: name}, Detail: values[0]}
		if manifest.ClusterScoped(kind) {
			o.Object.Namespace = ""
		}
		if field != "phase" {
			o.Detail = field + "=" + values[0]
		}
		return []model.Observation{o}
	}
}

// scheduledOn reads the node of a pod.
func scheduledOn(name, namespace string, values []string) []model.Observation {
	if len(values) != 1 || !nameText(values[0]) {
		return nil
	}
	pod := model.PodRef(namespace, name, "")
	return []model.Observation{{Kind: model.PodScheduled, Object: pod, Pod: pod, Node: values[0]}}
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
	return []model.Observation{bound(claim, claim, values[0], "Bound")}
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
	kind := attachedKinds[strings.Join(values, " ")]
	if kind == "" {
		return nil
	}
	return []model.Observation{{Object: model.Ref{Kind: "VolumeAttachment", Name: name}, Attachment: name, Kind: kind}}
}

// maxContinued bounds a command that goes over several lines, in bytes.
const maxContinued = 4096

// continued joins a command that goes on in the next line, which a backslash says. It returns false while it does.
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
