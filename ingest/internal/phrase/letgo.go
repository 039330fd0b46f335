package phrase

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
)

// maxDetail bounds an error text. Drivers print whole HTTP responses into theirs.
const maxDetail = 8 << 10

// letGo copies what an observation took from a long record, so that the record itself, up to a megabyte, can be freed.
func letGo(o *model.Observation) {
	if len(o.Detail) > maxDetail {
		end := maxDetail
		for end > maxDetail-utf8.UTFMax && !utf8.RuneStart(o.Detail[end]) {
			end--
		}
		o.Detail = o.Detail[:end]
	}
	for _, s := range []*string{
		&o.Node, &o.Detail, &o.Attachment, &o.Attacher, &o.Component,
		&o.Volume.UniqueName, &o.Volume.PersistentVolume, &o.Volume.Handle, &o.Volume.Driver,
	} {
		*s = strings.Clone(*s)
	}
	for _, r := range []*model.Ref{&o.Object, &o.Pod, &o.Claim, &o.Owner} {
		*r = cloneRef(*r)
	}
	o.Pods, o.Holders, o.Access = slices.Clone(o.Pods), slices.Clone(o.Holders), slices.Clone(o.Access)
	for i := range o.Pods {
		o.Pods[i] = cloneRef(o.Pods[i])
	}
	for _, list := range [][]string{o.Holders, o.Access} {
		for i := range list {
			list[i] = strings.Clone(list[i])
		}
	}
}

func cloneRef(r model.Ref) model.Ref {
	return model.Ref{Kind: strings.Clone(r.Kind), Namespace: strings.Clone(r.Namespace), Name: strings.Clone(r.Name),
		UID: strings.Clone(r.UID)}
}
