package tables

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// junitPlaces is how many quotes of one cause are named.
const junitPlaces = 2

// junitReport is the form of JUnit's results that CI servers read.
type junitReport struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Timestamp string      `xml:"timestamp,attr,omitempty"` // of the collection, in UTC without a zone, as the form has it
	Cases     []junitCase `xml:"testcase"`
}

// junitCase is one question. It passed when nothing stands below it but its output.
type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Time    string       `xml:"time,attr,omitempty"` // seconds
	Skipped *junitResult `xml:"skipped"`
	Error   *junitResult `xml:"error"`
	Failure *junitResult `xml:"failure"`
	Output  string       `xml:"system-out,omitempty"`
}

type junitResult struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes incidents and questions as results of tests. A bundle that could not have shown an incident is an error, no success.
func JUnit(w io.Writer, r *model.Report, zone *time.Location) error {
	v := view.In(r, zone)
	out := junitReport{Name: "volpost"}
	for _, s := range []junitSuite{junitIncidents(v), junitFindings(v), junitInspection(v)} {
		if len(s.Cases) == 0 {
			continue
		}
		if m := v.Bundle.CapturedAt; m != nil && !m.IsZero() && m.Missing() == "" {
			s.Timestamp = m.At.UTC().Format("2006-01-02T15:04:05")
		}
		s.count()
		out.Tests, out.Failures, out.Errors = out.Tests+s.Tests, out.Failures+s.Failures, out.Errors+s.Errors
		out.Suites = append(out.Suites, s)
	}
	text, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	// A line feed is written as a reference, which is for attributes: here it only keeps people from reading the file.
	text = bytes.ReplaceAll(text, []byte("&#xA;"), []byte("\n"))
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

func (s *junitSuite) count() {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Error != nil:
			s.Errors++
		case c.Failure != nil:
			s.Failures++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}

func junitIncidents(v *view.View) junitSuite {
	answer := junitCase{Name: "The bundle tells whether a volume was blocked", Class: "volpost.verdict"}
	if verdict := v.Verdict; verdict.Status == model.StatusInsufficient {
		gaps := "Evidence gaps: " + v.Gaps.String() + "\n"
		answer.Error = &junitResult{Message: words.OneLine(verdict.Headline), Type: string(verdict.Status), Text: gaps}
	} else if verdict.Status == model.StatusFault {
		answer.Failure = &junitResult{Message: words.OneLine(verdict.Headline), Type: string(verdict.Status), Text: verdict.Why + "\n"}
	} else {
		answer.Output = strings.TrimSpace(verdict.Headline + "\n" + verdict.Why)
	}
	if v.Walls != nil {
		answer.Output = strings.TrimSpace(answer.Output + "\n" + v.Times())
	}
	suite := junitSuite{Name: "volpost incidents", Cases: []junitCase{answer}}
	for _, in := range v.Incident {
		c := junitCase{Name: in.Title, Class: "volpost.incident", Time: fmt.Sprintf("%.3f", min(in.Span.Seconds.Best, 1e9))}
		if len(in.Story().Cause) > 0 && in.Story().Cause[0].ID == model.CauseHandover {
			c.Output = in.Story().Cause[0].Summary
		} else {
			c.Failure = junitIncident(v, in)
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}

// junitIncident is an incident in a few lines.
func junitIncident(v *view.View, in *view.IncidentView) *junitResult {
	out := &junitResult{Message: in.Words().Lasted + " " + in.Wait, Type: "unknown"}
	var b strings.Builder
	if name := in.BlockingAttachment.Name; name != nil {
		node := cmp.Or(words.OneLine(in.BlockingAttachment.Node), "an unknown node")
		fmt.Fprintf(&b, "blocked by VolumeAttachment %s on %s\n", words.OneLine(*name), node)
	}
	for i, c := range in.Story().Cause {
		if i == 0 {
			out.Type = words.OneLine(c.ID)
		}
		fmt.Fprintf(&b, "%s %s (explains %s): %s\n", c.Verdict, words.OneLine(c.ID), words.OneLine(c.Explained), c.Summary)
		for n, id := range v.Cited(c.For) {
			if n == junitPlaces {
				break
			}
			fmt.Fprintf(&b, "  %s\n", view.Place(v.Evidence[v.EvidenceAt[id]].Source))
		}
	}
	for _, p := range in.Story().Bars {
		fmt.Fprintf(&b, "%-12s %s from %s\n", words.OneLine(string(p.ID)), p.Duration, view.Instant(p.From))
	}
	out.Text = b.String()
	return out
}

// junitFindings are the findings that no question of the inspection names.
func junitFindings(v *view.View) junitSuite {
	suite := junitSuite{Name: "volpost findings"}
	for _, f := range v.Findings {
		if slices.ContainsFunc(v.Inspection, func(i model.InspectionItem) bool { return slices.Contains(i.Findings, f.ID) }) {
			continue
		}
		c := junitCase{Name: words.OneLine(f.Title), Class: "volpost.finding." + words.OneLine(f.ID)}
		if text := strings.TrimSpace(f.Text + "\n" + f.Remedy); f.Severity == "info" {
			c.Output = text
		} else {
			c.Failure = &junitResult{Message: words.OneLine(f.Text), Type: words.OneLine(f.Severity), Text: text}
		}
		if len(f.Objects) > 0 {
			c.Name += ": " + view.Refs(f.Objects)
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}

func junitInspection(v *view.View) junitSuite {
	suite := junitSuite{Name: "volpost inspection"}
	for _, i := range v.Inspection {
		c := junitCase{Name: words.OneLine(i.Question), Class: "volpost.inspection." + words.OneLine(i.ID)}
		switch i.Answer {
		case model.No:
			c.Output = i.Text
		case model.Yes:
			c.Failure = &junitResult{Message: words.OneLine(i.Text), Type: i.Answer, Text: words.If(i.Command != "", "look with: "+i.Command)}
		default:
			c.Skipped = &junitResult{Message: words.OneLine(i.Text), Text: words.If(i.Command != "", "look with: "+i.Command)}
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}
