package redact

import (
	"reflect"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// manners says how the fields of a report are to be read. All others are sentences: what a later version adds is redacted.
var manners = map[string]manner{
	"Bundle.Root": rootText, "WhatIf.Bundle": rootText, "Diff.PseudonymsOf": rootText, "Fleet.PseudonymsOf": rootText,
	"DiffSide.Name": pathText, "FleetCount.Reports": pathText, "FleetRemedy.Reports": pathText, "FleetVolume.Reports": pathText, "FleetFault.Report": pathText,
	"WhatIf.Schema": keepText, "Diff.Schema": keepText, "Fleet.Schema": keepText, "DiffSide.Kind": keepText,
	"DiffSide.KubernetesVersion": keepText, "DiffSide.Identities": identityText, "IncidentDigest.Cause": keepText, "PhaseChange.Change": keepText,
	"PhaseChange.Unfinished": keepText, "FaultChange.ID": keepText, "FaultChange.Title": keepText,
	"FleetRemedy.ID": keepText, "AttachmentState.Error": quoteText, "Report.Schema": keepText,
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
