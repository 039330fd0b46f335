package ingest

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// People shorten names before they paste them, or replace them: pvc-087a37dd-..., pvc-xxxx, <name>. None of these is a volume's name.

// elided is what stands for a part of a name that was left out.
var elided = regexp.MustCompile(`\.\.+|…|[xX]{3,}|\*{2,}|<[^>]*>?|\$\{?[A-Za-z_]+\}?|(?i:redacted)`)

// remains is what a shortened name begins with, when that distinguishes it from others.
var remains = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*[0-9a-f]{4,}$`)

// stem is what is left of a shortened name, "" when nothing is that distinguishes it from another. ok reports whether it is one.
func stem(name string) (left string, ok bool) {
	at := elided.FindStringIndex(name)
	if at == nil || strings.Trim(elided.ReplaceAllString(name[at[0]:], ""), "-xX*.") != "" {
		return "", false // a name goes on behind
	}
	left = strings.TrimRight(name[:at[0]], "-.")
	if !remains.MatchString(left) {
		return "", true
	}
	return left, true
}

// placeholders takes the names of volumes that are none out of the statements. A shortened name is completed when one volume alone
// begins so. What stands for any name is kept, as what it is, while all that was said with it can be of one volume.
func (r *reading) placeholders() {
	s := r.s
	var whole map[string]bool
	reported, named := map[string]bool{}, map[string]bool{}
	for i := range s.Observations {
		o := &s.Observations[i]
		left, short := stem(o.Volume.PersistentVolume)
		named[o.Source.Path] = named[o.Source.Path] || o.Kind == model.MultiAttach && o.Volume.PersistentVolume != "" && (!short || left != "")
	}
	again := func(o *model.Observation) bool { // the error as such, beside reports of it in the same text
		return o.Kind == model.MultiAttach && o.Pod.Name == "" && len(o.Pods) == 0 && named[o.Source.Path]
	}
	var unnamed unnamedVolume
	for i := range s.Observations {
		o := &s.Observations[i]
		name := o.Volume.PersistentVolume
		left, ok := stem(name)
		if name == "" || !ok || o.Source.Kind != model.SourceText && o.Source.Kind != model.SourceLog {
			continue
		}
		if whole == nil {
			whole = wholeNames(s)
		}
		report := func(severity model.Severity, format string, args ...any) {
			if at := fmt.Sprintf("%s:%d:%s", o.Source.Path, o.Source.Line, name); reported[at] {
				return // of a line that two readers have read
			} else {
				reported[at] = true
			}
			s.Problems = append(s.Problems,
				model.Problem{Severity: severity, Path: o.Source.Path, Line: o.Source.Line, Message: fmt.Sprintf(format, args...)})
		}
		switch full := completed(left, whole); {
		case full != "":
			o.Volume.PersistentVolume = full
			report(model.Info, "%q is a shortened name; %s is the only volume in the bundle that begins so", name, full)
		case left != "":
			o.Volume.PersistentVolume = left + elision
			report(model.Warning, "%q is a shortened name, and no volume is found by it; give the whole name of the volume", name)
		case again(o):
			o.Kind = ""
			report(model.Info, "%q stands for the name of a volume; other reports in this text name theirs", name)
		case unnamed.takes(o):
			o.Volume.PersistentVolume = "pvc-" + elision
			report(model.Warning, "%q stands for the name of a volume, which is not told; give the name", name)
		default:
			o.Volume.PersistentVolume = ""
			report(model.Warning,
				"%q stands for the name of a volume, as it does further up, and nothing tells whether they are one volume; give the names", name)
		}
	}
	s.Observations = slices.DeleteFunc(s.Observations, func(o model.Observation) bool { return o.Kind == "" })
}

// unnamedVolume is the one volume that statements without its name may be about.
type unnamedVolume struct{ waits, holds string }

// takes reports whether a further statement can be of it, too: it names no other pod that waits or holds.
func (v *unnamedVolume) takes(o *model.Observation) bool {
	waits, holds := o.Pod.Name, ""
	if len(o.Pods) > 0 {
		holds = o.Pods[0].Name
	}
	if words.Differ(waits, v.waits) || words.Differ(holds, v.holds) {
		return false
	}
	v.waits, v.holds = cmp.Or(v.waits, waits), cmp.Or(v.holds, holds)
	return true
}

// wholeNames are the names of volumes that are not shortened.
func wholeNames(s *model.Snapshot) map[string]bool {
	names := map[string]bool{}
	add := func(name string) {
		if _, short := stem(name); name != "" && !short {
			names[name] = true
		}
	}
	for i := range s.Observations {
		add(s.Observations[i].Volume.PersistentVolume)
	}
	for _, v := range s.PersistentVolumes {
		add(v.Ref.Name)
	}
	for _, a := range s.VolumeAttachments {
		if pv := a.Value().Spec.Source.PersistentVolumeName; pv != nil {
			add(*pv)
		}
	}
	return names
}

// completed is the one name that begins with left; "" when there is none, or several.
func completed(left string, names map[string]bool) string {
	var found []string
	for n := range names {
		if left != "" && strings.HasPrefix(n, left) {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}
