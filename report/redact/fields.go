package redact

import (
	"reflect"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/fields"
)

// manners says how the fields of a report are to be read, by their tags. All others are sentences: what a later version adds is redacted.
var manners = map[string]manner{"keep": keepText, "name": nameText, "path": pathText, "quote": quoteText, "message": quoteText, "root": rootText,
	"identity": identityText}

// copy copies a value with its texts redacted.
func copyOf[T any](x *redactor, of *T) *T {
	return fields.Change(of, fields.Changer{Text: x.field, Enter: func(v reflect.Value) func() {
		outer := x.scope
		if scope := scopeOf(v.Interface()); scope != nil {
			x.scope = scope
		}
		return func() { x.scope = outer }
	}})
}

// field redacts the text of a field. Kinds and verdicts, which have types of their own, stay as they are. A label's value is a name where its
// label announces one.
func (x *redactor) field(v reflect.Value, kind string) string {
	if v.Type() != reflect.TypeFor[string]() {
		return v.String()
	}
	if label, is := strings.CutPrefix(kind, "label "); is && announcing[label] {
		return x.text(v.String(), nameText)
	} else if is {
		return x.text(v.String(), quoteText)
	}
	kind, _, _ = strings.Cut(kind, ":")
	if how, ok := manners[kind]; ok {
		return x.text(v.String(), how)
	}
	return x.text(v.String(), proseText)
}

// scopeOf are the names that the sentences of a part of the report can mean; nil where not known. Any other word is a word.
func scopeOf(part any) map[string]bool {
	switch p := part.(type) {
	case model.TimelineItem:
		return scope(p.About)
	case model.Finding:
		return scope(p.Objects)
	case model.Incident:
		refs := slices.Concat(p.From.Pods, p.To.Pods)
		for _, name := range []string{p.From.Node, p.To.Node, p.BlockingAttachment.Node, p.Volume.PersistentVolume, p.Volume.VolumeHandle} {
			refs = append(refs, model.Ref{Name: name})
		}
		for _, ref := range []*model.Ref{p.Workload, p.Volume.Claim} {
			if ref != nil {
				refs = append(refs, *ref)
			}
		}
		return scope(refs)
	}
	return nil
}

// scope are the segments and runs of the names of some objects.
func scope(refs []model.Ref) map[string]bool {
	out := map[string]bool{}
	for _, ref := range refs {
		for _, name := range []string{ref.Namespace, ref.Name} {
			for _, p := range pieces(strings.ToLower(name)) {
				out[p.text] = out[p.text] || p.run
			}
		}
	}
	return out
}
