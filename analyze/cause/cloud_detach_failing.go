package cause

import (
	"fmt"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

var cloudDetachFailing = Cause{
	ID: model.CauseCloudDetachFailing, Title: "The cloud refuses or throttles the detach",
	Label: "Cloud fails to detach", Group: "Cloud does not detach from %s",
	Needs: []Need{needHolder}, Check: checkCloudDetachFailing,
}

func checkCloudDetachFailing(c *wait.Case) Result {
	f := failures(c, upstream.FaultCloud)
	if len(f.errors) == 0 {
		return Result{}
	}
	r := detachFails(c, f, upstream.CloudOf(upstream.Answer(f.errors[0].Detail))+" answered: ")
	if n := c.OtherVolumesFailing(f.since, upstream.CloudAPI); r.Verdict != "" && len(n) > 0 {
		r.Summary += fmt.Sprintf(" %s failed to detach with such an answer in the same time.", others(len(n)))
		r.For = append(r.For, n[0])
	}
	return r
}

func others(n int) string {
	if n == 1 {
		return "One other volume"
	}
	return fmt.Sprintf("%d other volumes", n)
}
