package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// answerLabels are the answers of the inspection list, in the order in which a reader needs them.
var answerLabels = []Label{{model.Yes, "yes"}, {"cannot-tell", "cannot tell"}, {model.No, "no"}}

// answered are the questions with one answer.
type answered struct {
	Answer string
	Items  []model.InspectionItem
}

// Inspected groups the inspection list by answer; an answer of a later version comes last.
func Inspected(list []model.InspectionItem) []answered {
	var out []answered
	known := map[string]bool{}
	take := func(id string) {
		group := answered{Answer: Find(answerLabels, id)}
		for _, i := range list {
			if i.Answer == id {
				group.Items = append(group.Items, i)
			}
		}
		if len(group.Items) > 0 {
			out = append(out, group)
		}
		known[id] = true
	}
	for _, l := range answerLabels {
		take(l.ID())
	}
	for _, i := range list {
		if !known[i.Answer] {
			take(i.Answer)
		}
	}
	return out
}

// InspectionCounts says how many questions have which answer.
func InspectionCounts(groups []answered) string {
	return partsText(Each(groups, func(g answered) part { return part{len(g.Items), g.Answer} })...)
}

// InputSum adds up the inputs of one kind.
type InputSum struct {
	Kind                 string
	Files, Records, Used int
	Bytes                int64
	From, To             *time.Time
}

// InputSums adds up inputs by kind, in the order of first appearance.
func InputSums(inputs []model.Input) []InputSum {
	var out []InputSum
	at := map[string]int{}
	for _, in := range inputs {
		i, ok := at[in.Kind]
		if !ok {
			i = len(out)
			at[in.Kind] = i
			out = append(out, InputSum{Kind: in.Kind})
		}
		s := &out[i]
		s.Files++
		s.Records += in.Records
		s.Used += in.Used
		s.Bytes += in.Bytes
		if in.From != nil && (s.From == nil || in.From.Before(*s.From)) {
			s.From = in.From
		}
		if in.To != nil && (s.To == nil || in.To.After(*s.To)) {
			s.To = in.To
		}
	}
	return out
}

// Text says how much was read, and which time it covers.
func (s InputSum) Text() string {
	text := fmt.Sprintf("%s, %s, %s", words.Count(s.Files, "file"), words.Count(s.Records, "record"), words.Bytes(s.Bytes))
	return text + FromTo(s.From, s.To)
}

// FromTo goes on with which time something covers, where that is known.
func FromTo(from, to *time.Time) string {
	if from == nil || to == nil {
		return ""
	}
	return ", from " + DateAt(*from) + " to " + stampAt(*to)
}

// ClockText says how the times of an input were placed.
func ClockText(c model.Clock) string {
	facts := []string{words.If(c.Year != "", "year "+c.Year), words.If(c.Zone != "", "zone "+c.Zone),
		words.If(c.Ages != "", "ages count back "+words.OneLine(c.Ages))}
	if c.OffsetSeconds != 0 || c.OffsetUncertainty != 0 {
		facts = append(facts, fmt.Sprintf("offset %+.3f s ± %.3f s", c.OffsetSeconds, c.OffsetUncertainty))
	}
	return strings.Join(slices.DeleteFunc(facts, func(fact string) bool { return fact == "" }), "; ")
}
