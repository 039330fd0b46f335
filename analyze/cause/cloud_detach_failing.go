package cause

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

var cloudDetachFailing = Cause{
	ID: model.CauseCloudDetachFailing, Title: "The cloud refuses or throttles the detach",
	Label: "Cloud fails to detach", Group: "Cloud does not detach from %s",
	Doc: Doc{
		Symptom: "Every try of the detach from the old node ends with an error of the cloud's API, often for many volumes or nodes at once.",
		Mechanism: `Driver or in-tree provider call the cloud, which answers with a conflict (another change of the same machine is under way, the
state that the caller knew is outdated), with throttling, or with an outage. The volume stays attached in the cloud and in
Kubernetes. Every retry counts against the same quota, so that throttling feeds itself when many volumes move at once.`,
		DecidedBy: `Failed detaches whose text has the form of a cloud API's error (such as RequestLimitExceeded, OperationNotAllowed,
rateLimitExceeded, conflictingRequest, server is locked), for more than a minute or still at the collection.`,
		RefutedBy: `The text is the driver's own or its own storage's (driver-detach-error); the API says that the machine does not exist; or the
detach succeeded within a minute of the first refusal. A number such as 409 or 503 alone proves nothing: it stands in names too.`,
		WhatHelped: `Waiting for the other operation to end; fewer moves at a time; a higher API quota; repairing the machine's state in the cloud
where it is stuck (an update of the VM, detaching there by hand). Newer drivers batch detaches and treat a missing disk as detached.`,
		References: []string{
			"aws-ebs-csi-driver issue 535", "kubernetes issues 76079, 78172 and 78989, PR 78700 (1.12–1.15, in-tree Azure)",
			"gcp-compute-persistent-disk-csi-driver issue 1129", "hcloud csi-driver issue 418",
		},
	},
	Needs: []Need{needHolder}, Check: checkCloudDetachFailing,
}

func checkCloudDetachFailing(c *reconstruct.Case) Result {
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
