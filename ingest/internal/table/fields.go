package table

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// asked is the template of -o jsonpath or -o custom-columns in a command line.
var asked = regexp.MustCompile(`(?:-o|--output)[ =]*(jsonpath|custom-columns)=(?:'([^']*)'|"([^"]*)"|(\S+))`)

// cutTemplate takes the template, which may hold blanks, out of a command line, with the fields that it prints of each object.
func cutTemplate(s string) (rest, template string, columns []string) {
	m := asked.FindStringSubmatchIndex(s)
	if m == nil {
		return s, "", nil
	}
	for group := 4; group < len(m); group += 2 {
		if m[group] >= 0 {
			template = strings.ReplaceAll(s[m[group]:m[group+1]], " ", "")
		}
	}
	rest = s[:m[0]] + s[m[1]:]
	if s[m[2]:m[3]] == "custom-columns" {
		return rest, "", customFields(template)
	}
	return rest, template, rangeFields(template)
}

// fieldNames are the columns that are read, by the fields that custom columns and templates print them from.
var fieldNames = map[string]string{ // for lookup only
	".metadata.name": "name", ".metadata.namespace": "namespace", ".metadata.creationTimestamp": "created", ".metadata.deletionTimestamp": "deletiontimestamp",
	".spec.source.persistentVolumeName": "pv", ".spec.nodeName": "node", ".spec.attacher": "attacher", ".status.attached": "attached",
	".status.phase": "status", ".spec.volumeName": "volume", ".spec.claimRef.name": "claimname", ".spec.claimRef.namespace": "claimnamespace",
	// of Events
	".lastTimestamp": "lastseen", ".firstTimestamp": "firstseen", ".count": "count", ".type": "type", ".reason": "reason", ".message": "message",
	".involvedObject.kind": "kind", ".involvedObject.name": "objectname", ".involvedObject.namespace": "namespace", ".source.component": "source",
	".source.host": "host",
	`.status.conditions[?(@.type=="Ready")].status`: "condition",
}

// fieldName is the column of a field; that of a field that is not read has no name.
func fieldName(path string) string {
	path = strings.ReplaceAll(strings.Trim(path, "{}"), `\"`, `"`)
	if !strings.HasPrefix(path, ".") {
		path = "." + path
	}
	if claimsField.MatchString(path) {
		return "claims"
	}
	return fieldNames[path]
}

// claimsField is that of the claims of a pod.
var claimsField = regexp.MustCompile(`^\.spec\.volumes\[[^\]]*\]\.persistentVolumeClaim\.claimName$`)

// customFields are the columns of LABEL:field,…: the labels are whatever the author liked.
func customFields(template string) (out []string) {
	for column := range strings.SplitSeq(template, ",") {
		_, path, ok := strings.Cut(column, ":")
		if !ok || len(out) == maxColumns {
			return nil
		}
		out = append(out, fieldName(path))
	}
	return out
}

// rangeTemplate prints a line for each object; ranged is one of its fields, or what stands between them.
var (
	rangeTemplate = regexp.MustCompile(`^\{range\.items\[\*\]\}((?:\{[^{}]*\})+)\{end\}$`)
	ranged        = regexp.MustCompile(`\{([^{}]*)\}`)
)

// rangeFields are the fields that such a template prints, with nothing but blanks and tabs between them; nil for any other.
func rangeFields(template string) (out []string) {
	m := rangeTemplate.FindStringSubmatch(template)
	if m == nil || !strings.HasSuffix(m[1], `{"\n"}`) {
		return nil
	}
	for _, part := range ranged.FindAllStringSubmatch(m[1], maxColumns) {
		if strings.HasPrefix(part[1], ".") {
			out = append(out, fieldName(part[1]))
		} else if !slices.Contains([]string{`""`, `"\t"`, `"\n"`}, part[1]) {
			return nil
		}
	}
	return out
}

// printsFields are the kinds whose rows are read by the fields that the command asked for.
var printsFields = map[string]func(*row) bool{ // for lookup only
	"VolumeAttachment": attachmentRow, "Pod": podRow, "PersistentVolumeClaim": claimRow, "PersistentVolume": volumeRow, "Node": nodeRow,
}

// fieldRow takes a row of a command that says which fields it prints, also behind a grep, which takes the header away.
func (r *reader) fieldRow(l line) bool {
	read, names := printsFields[r.command.kind], r.command.columns
	if read == nil || !slices.Contains(names, "name") && !slices.Contains(names, "pv") {
		return false
	}
	values := strings.Fields(l.text)
	if n := len(names); names[n-1] == "claims" && len(values) >= n-1 {
		values = append(values[:n-1:n-1], strings.Join(values[n-1:], ","))
	}
	if len(values) != len(names) {
		return false
	}
	return r.takeRow(&tableKind{read: read}, newCells(names, values), l)
}

// bound says which claim and volume belong together, or of one alone only its state.
func bound(object, claim model.Ref, volume, status string, access ...string) model.Observation {
	if claim.Name == "" || volume == "" {
		return model.Observation{Kind: model.ObjectShown, Object: object, Detail: status}
	}
	return model.Observation{Kind: model.VolumeBound, Object: object, Claim: claim, Volume: model.VolumeID{PersistentVolume: volume},
		Detail: status, Access: access}
}
