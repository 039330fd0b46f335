package analyze

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// mountVerdict says that a pod is kept down by its mount after the volume has come, and after how long where that was no ordinary move.
func mountVerdict(c *wait.Case, real []model.Incident) model.ReportVerdict {
	after := ""
	if n := slices.IndexFunc(real, func(i model.Incident) bool { return i.ID == c.ID() }); n >= 0 && !real[n].Span.Open {
		after = " after " + words.Seconds(real[n].Span.Seconds.Best)
	}
	return model.ReportVerdict{
		Status: model.StatusFault, Incident: c.ID(), Open: true,
		Headline: fmt.Sprintf("Pod %s is still down: its volume was attached%s%s, and since then the mount fails.",
			wait.PodNames(c.NewPods[:1]), to(c.To), after),
		Why: sentences(mountFault(c.MountFailing().Detail)),
	}
}

// mountFault is the last line of what a mount said, which has the reason, without the frame of gRPC, and cut to a few words.
func mountFault(text string) string {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "Output: ") {
		text = upstream.Unwrapped(strings.Join(strings.Fields(text), " "))
	}
	text = text[strings.LastIndexByte(text, '\n')+1:]
	if _, said, framed := strings.Cut(text, " desc = "); framed {
		text = said
	}
	fields := strings.Fields(text)
	last := strings.Join(fields[max(0, len(fields)-12):], " ")
	return words.If(last != "", "The mount says: "+words.If(len(fields) > 12, "… ")+last)
}
