package table

import (
	"regexp"
	"strings"
)

// command is what a pasted kubectl command line says of the output below it. Empty fields are not said.
type command struct {
	verb      string // get, describe or events
	kind      string // as kindNames has it
	name      string
	namespace string
}

// commandLine is kubectl behind a prompt or alone. The prompt ends in a sign that shells use.
var commandLine = regexp.MustCompile(`^ *(?:[^"'=]{0,120}?[$#%>❯»] *)?(?:sudo +)?(?:kubectl|oc|k|microk8s kubectl|k3s kubectl) +([a-z].*)$`)

// objectName is a DNS subdomain: what Kubernetes allows in the names used here.
var objectName = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$`)

// kindNames are kubectl's names of the kinds that are read.
var kindNames = map[string]string{
	"pod": "Pod", "pods": "Pod", "po": "Pod",
	"node": "Node", "nodes": "Node", "no": "Node",
	"persistentvolume": "PersistentVolume", "persistentvolumes": "PersistentVolume", "pv": "PersistentVolume",
	"persistentvolumeclaim": "PersistentVolumeClaim", "persistentvolumeclaims": "PersistentVolumeClaim", "pvc": "PersistentVolumeClaim",
	"volumeattachment": "VolumeAttachment", "volumeattachments": "VolumeAttachment",
	"event": "Event", "events": "Event", "ev": "Event",
}

// flagsWithValue are those flags of kubectl that take the next word.
var flagsWithValue = map[string]bool{
	"-n": true, "--namespace": true, "-l": true, "--selector": true, "-o": true, "--output": true, "--context": true,
	"--kubeconfig": true, "--field-selector": true, "--sort-by": true, "--cluster": true, "--user": true, "--for": true,
}

// parseCommand reads a prompt with kubectl get, describe or events. Any other kubectl command is a command, too: it ends
// what stands above it.
func parseCommand(s string) (command, bool) {
	if !strings.Contains(s, "k ") && !strings.Contains(s, "kubectl ") && !strings.Contains(s, "oc ") {
		return command{}, false
	}
	m := commandLine.FindStringSubmatch(s)
	if m == nil {
		return command{}, false
	}
	var c command
	var words []string
	fields := strings.Fields(m[1])
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		if strings.ContainsAny(f, "|;&<>") {
			break
		}
		if !strings.HasPrefix(f, "-") {
			words = append(words, f)
			continue
		}
		flag, value, joined := strings.Cut(f, "=")
		if !joined && flagsWithValue[flag] && i+1 < len(fields) {
			i++
			value = fields[i]
		}
		switch {
		case flag == "-n" || flag == "--namespace":
			c.namespace = validName(value)
		case strings.HasPrefix(f, "-n") && !joined && len(f) > 2 && f[2] != '-':
			c.namespace = validName(f[2:])
		}
	}
	return c.object(words)
}

// object takes verb, kind and name from the words that are no flags.
func (c command) object(words []string) (command, bool) {
	switch words[0] {
	case "get", "describe", "events":
		c.verb = words[0]
	default:
		return command{}, true
	}
	if len(words) < 2 {
		return c, true
	}
	kind, name, slash := strings.Cut(words[1], "/")
	kind, _, _ = strings.Cut(kind, ".") // volumeattachments.storage.k8s.io
	c.kind = kindNames[kind]
	switch {
	case slash && len(words) == 2:
		c.name = validName(name)
	case !slash && len(words) == 3:
		c.name = validName(words[2])
	}
	return c, true
}

// validName drops placeholders such as <pod> and $POD.
func validName(s string) string {
	if objectName.MatchString(s) {
		return s
	}
	return ""
}
