package redact

import (
	"cmp"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// nameFields says of the fields that hold names what they are names of, for their pseudonyms, as Type.Field.
var nameFields = map[string]string{
	"IncidentVolume.PersistentVolume": "vol", "IncidentVolume.VolumeHandle": "handle", "IncidentVolume.Driver": "driver", "Place.Node": "node",
	"BlockingAttachment.Name": "va", "BlockingAttachment.Node": "node", "BlockingAttachment.Attacher": "driver", "BlockingAttachment.UID": "",
	"AttachmentLife.UID": "", "Group.Node": "node", "Incident.Cluster": "cluster", "Bundle.Clusters": "cluster", "Input.Cluster": "cluster",
	"Input.Clusters": "cluster", "Ref.UID": "", "GraphNode.UID": "", "AttachmentState.Name": "va", "AttachmentState.UID": "",
	"AttachmentState.Volume": "vol", "AttachmentState.Node": "node", "IncidentDigest.Volume": "vol", "IncidentDigest.From": "node",
	"IncidentDigest.To": "node", "FleetVolume.Cluster": "cluster", "FleetVolume.Volume": "vol",
}

// learn takes in the names that a value has in fields of their own, and every segment that stands anywhere in it.
func (x *redactor) learn(v reflect.Value, hint string, named bool) {
	switch v.Kind() {
	case reflect.String:
		x.see(v.String())
		if named {
			x.named(v.String(), hint)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			x.learn(v.Elem(), hint, named)
		}
	case reflect.Slice:
		for i := range v.Len() {
			x.learn(v.Index(i), hint, named)
		}
	case reflect.Map:
		x.labels(v)
	case reflect.Struct:
		x.learnStruct(v)
	}
}

func (x *redactor) learnStruct(v reflect.Value) {
	switch one := v.Interface().(type) {
	case model.Ref:
		x.ref(one)
	case model.GraphNode:
		x.ref(model.Ref{Kind: one.Kind, Namespace: one.Namespace, Name: one.Name})
	case model.IncidentVolume:
		whole := model.VolumeID{UniqueName: one.UniqueName, PersistentVolume: one.PersistentVolume, Handle: one.VolumeHandle, Driver: one.Driver}
		whole = whole.Complete()
		x.named(whole.PersistentVolume, "vol")
		x.named(whole.Handle, "handle")
		x.named(whole.Driver, "driver")
	case model.Fleet: // causes and versions are counted in the same form
		for _, cluster := range one.Clusters {
			x.named(cluster.Name, "cluster")
		}
		for _, driver := range one.Drivers {
			x.named(driver.Name, "driver")
		}
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		if s := v.Field(i); field.Name == "ID" && s.Kind() == reflect.String && identifier.MatchString(s.String()) {
			x.ids[s.String()] = true
		}
		hint, named := nameFields[v.Type().Name()+"."+field.Name]
		x.learn(v.Field(i), hint, named)
	}
}

// hintOf says of a label what it names.
var hintOf = map[string]string{"node": "node", "namespace": "ns", "pod": "app", "persistentvolumeclaim": "claim", "volumename": "vol"}

// labels takes in the labels of a series, of which some name an object.
func (x *redactor) labels(v reflect.Value) {
	labels, _ := v.Interface().(map[string]string) // a report has no other maps
	for _, label := range sortedKeys(labels) {
		x.see(label)
		x.see(labels[label])
		if announcing[label] {
			x.object(labels["namespace"], labels[label], hintOf[label])
		}
	}
}

// identifier is what volpost itself calls a thing: it is made of names, and would confirm a guess.
var identifier = regexp.MustCompile(`^[a-z]-[0-9a-f]{12}$`)

// sortedKeys are the keys of a map in order.
func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// see notes what stands in a text, so that no pseudonym is mistaken for it, and the unique names of volumes.
func (x *redactor) see(s string) {
	if s == "" || x.seen[s] != "" {
		return
	}
	x.seen[s] = s
	x.size += len(s)
	for _, p := range pieces(s) {
		if !p.run {
			continue
		}
		lower := strings.ToLower(p.text)
		x.present[lower] = true
		for _, q := range segments(lower) {
			x.present[q.text] = true
		}
	}
	for _, m := range uniqueName.FindAllStringSubmatch(s, -1) {
		x.named(m[1], "driver")
		x.named(m[2], "handle")
	}
	for _, m := range commanded.FindAllStringSubmatch(s, -1) {
		x.ref(model.Ref{Kind: m[2], Namespace: m[1], Name: m[3]})
	}
}

// commanded is a workload that a command of kubectl names, which an answer without the evidence has nowhere else.
var commanded = regexp.MustCompile(` -n ([a-z0-9-]+) (deployment|statefulset|daemonset|replicaset)/([a-z0-9.-]*[a-z0-9])`)

// ref takes in the name of an object.
func (x *redactor) ref(r model.Ref) {
	x.named(r.Namespace, "ns")
	hint := map[string]string{"Node": "node", "PersistentVolume": "vol", "PersistentVolumeClaim": "claim", "CSIDriver": "driver",
		"Namespace": "ns", "VolumeAttachment": "va"}[r.Kind]
	x.object(r.Namespace, r.Name, cmp.Or(hint, "app"))
}

// object takes in the name of an object, unless it is a part of Kubernetes itself in a namespace of its own.
func (x *redactor) object(namespace, name, hint string) {
	if systems[namespace] && x.commonTo(segments(name)) > 0 {
		return
	}
	x.named(name, hint)
}

// named takes in a name, unless every cluster has it. hint is what it names, for its pseudonym.
func (x *redactor) named(name, hint string) {
	if name == "" || x.learned[hint+" "+name] {
		return
	}
	x.learned[hint+" "+name] = true
	lower := strings.ToLower(name)
	switch hint {
	case "ns":
		if lower == "default" || systems[lower] {
			return
		}
	case "node":
		x.nodes = append(x.nodes, name)
	case "driver":
		if x.drivers = append(x.drivers, name); drivers[lower] {
			return
		}
	case "handle":
		x.handles, hint = append(x.handles, name), "vol"
	}
	x.name(name, hint)
}

// name takes in a name of several runs, such as projects/p/zones/z/disks/d.
func (x *redactor) name(s, hint string) {
	if strings.Contains(s, " ") {
		return // such as "not known"; a name has none
	}
	list := pieces(s)
	for _, p := range list {
		lower := strings.ToLower(p.text)
		if !p.run || len(list) > 1 && (shapes[lower] || below[lower] || everybodys(lower)) {
			continue
		}
		x.names[lower] = true
		for _, q := range segments(lower) {
			if _, hinted := x.hints[q.text]; q.run && hint != "" && !hinted {
				x.hints[q.text] = hint
			}
		}
	}
}

// manners says how the fields of a report are to be read. All others are sentences: what a later version adds is redacted.
var manners = map[string]manner{
	"Bundle.Root": rootText, "WhatIf.Bundle": rootText, "Diff.PseudonymsOf": rootText, "Fleet.PseudonymsOf": rootText,
	"DiffSide.Name": pathText, "FleetCount.Reports": pathText, "FleetRemedy.Reports": pathText, "FleetVolume.Reports": pathText, "FleetFault.Report": pathText,
	"WhatIf.Schema": keepText, "Diff.Schema": keepText, "Fleet.Schema": keepText, "DiffSide.Kind": keepText,
	"DiffSide.KubernetesVersion": keepText, "DiffSide.Identities": identityText, "IncidentDigest.Cause": keepText, "PhaseChange.Change": keepText,
	"PhaseChange.Unfinished": keepText, "FaultChange.ID": keepText, "FaultChange.Title": keepText, "AnswerChange.ID": keepText, "AnswerChange.Question": keepText, "AnswerChange.Before": keepText,
	"AnswerChange.After": keepText, "FleetRemedy.ID": keepText, "AttachmentState.Error": quoteText, "Report.Schema": keepText,
	"Generator.Name": keepText, "Generator.Version": keepText, "Bundle.Layouts": keepText, "Bundle.KubernetesVersion": keepText,
	"Group.Cause": keepText, "Input.Kind": keepText, "Clock.Year": keepText, "Clock.Zone": quoteText, "Clock.Ages": quoteText,
	"IncidentVolume.AccessModes": keepText, "Span.StartsAt": keepText, "Cause.ID": keepText, "Cause.Label": keepText,
	"Cause.Explains": keepText, "Operand.Operand": keepText, "Remediation.ID": keepText, "Remediation.Kind": keepText,
	"Remediation.Effect": keepText, "Remediation.Phases": keepText, "Remediation.References": keepText, "Requires.Kubernetes": keepText,
	"Requires.After": keepText, "Safety.State": keepText, "Remediation.DataRisk": keepText, "Option.Remedy": keepText,
	"Option.DataRisk": keepText, "DoneAct.Remedy": keepText, "FirstAdvice.Remedy": keepText, "ActDigest.Remedy": keepText, "ActDigest.Effect": keepText, "Need.Met": keepText, "Finding.Severity": keepText,
	"InspectionItem.ID": keepText, "InspectionItem.Answer": keepText, "InspectionItem.Question": keepText, "Alert.Result": keepText,
	"Alert.For": keepText, "Ref.Kind": keepText, "GraphNode.Kind": keepText, "GraphEdge.Relation": keepText, "Bundle.Identities": identityText,

	// and nameFields
	"Ref.Namespace": nameText, "Ref.Name": nameText, "GraphNode.Namespace": nameText, "GraphNode.Name": nameText, "Evidence.SHA256": nameText,

	"IncidentVolume.UniqueName": quoteText, "Evidence.Text": quoteText, "Source.Path": pathText, "Source.Series": quoteText,
	"Source.Field": quoteText, "Input.Path": pathText, "Problem.Path": pathText, "Problem.Message": quoteText, "Unreadable.Path": pathText,
	"Unreadable.Why": keepText, "Unreadable.Holds": keepText, "GraphNode.ID": quoteText, "GraphEdge.From": quoteText,
	"GraphEdge.To": quoteText, "Alert.Expr": quoteText, "Alert.Severity": quoteText, "Alert.Corrected": quoteText, "Alert.Origin": quoteText,
	"Alert.Over": keepText, "Alert.KeepFiringFor": keepText, "Alert.Sources": quoteText, "MetricSeries.Metric": keepText,
	"MetricSeries.Series": quoteText, "MetricSeries.Path": pathText,
}

// copy copies a value with its texts redacted. Kinds and verdicts, which have types of their own, stay as they are.
func (x *redactor) copy(v reflect.Value, how manner) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(x.string(v, how))
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(x.copy(v.Elem(), how))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(x.copy(v.Index(i), how))
			}
		}
	case reflect.Map:
		x.copyMap(out, v)
	case reflect.Struct:
		x.copyStruct(out, v)
	default:
		out.Set(v)
	}
	return out
}

func (x *redactor) string(v reflect.Value, how manner) string {
	if v.Type() != reflect.TypeFor[string]() {
		return v.String()
	}
	return x.text(v.String(), how)
}

// copyMap redacts the labels of a series: their names stay where Kubernetes has them.
func (x *redactor) copyMap(out, v reflect.Value) {
	if v.IsNil() {
		return
	}
	out.Set(reflect.MakeMap(v.Type()))
	labels, ok := v.Interface().(map[string]string)
	if !ok {
		return // a report has no other
	}
	for _, label := range sortedKeys(labels) {
		how := quoteText
		if announcing[label] {
			how = nameText
		}
		out.SetMapIndex(reflect.ValueOf(x.text(label, quoteText)), reflect.ValueOf(x.text(labels[label], how)))
	}
}

func (x *redactor) copyStruct(out, v reflect.Value) {
	defer func(outer map[string]bool) { x.scope = outer }(x.scope)
	if scope := scopeOf(v.Interface()); scope != nil {
		x.scope = scope
	}
	out.Set(v) // times, and what is not exported
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		name := v.Type().Name() + "." + field.Name
		how, ok := manners[name]
		if _, named := nameFields[name]; named {
			how = nameText
		} else if !ok {
			how = proseText
		}
		if field.Type.Kind() == reflect.Struct && field.Type.PkgPath() == "time" {
			continue
		}
		out.Field(i).Set(x.copy(v.Field(i), how))
	}
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
