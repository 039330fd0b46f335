package ingest

import (
	"bytes"
	"regexp"

	"github.com/volpost/volpost/ingest/internal/audit"
	"github.com/volpost/volpost/ingest/internal/logfile"
	"github.com/volpost/volpost/model"
)

// diagnostics is a record of AKS's diagnostic settings, which may hold audit events beside the lines of the controllers.
var diagnostics = regexp.MustCompile(`"[cC]ategory":\s*"` +
	`(?:kube-audit(?:-admin)?|kube-controller-manager|kube-scheduler|csi-[a-z]+-controller|cloud-controller-manager)"`)

// mixed reads a file that may hold an audit log and the logs of components, each with its reader.
func (p *part) mixed(data []byte) {
	logs := logfile.Read(bytes.NewReader(data), p.input.Path, logfile.Hint{Namespace: p.place.Namespace})
	audited := audit.Read(bytes.NewReader(data), p.input.Path)
	p.Observations = append(p.Observations, p.affordable(logs.Observations)...)
	p.Observations = append(p.Observations, p.affordable(audited.Observations)...)
	if logs.Input.Records > 0 {
		p.Problems = append(p.Problems, logs.Problems...)
	}
	if audited.Input.From != nil { // it holds events
		p.Problems = append(p.Problems, audited.Problems...)
		p.audit = true
	}
	*p.input = logs.Input // it covers what the components' lines cover: the absence of one may count
	if logs.Input.Records > 0 {
		p.counts(audited.Input.Used, audited.Input.Used)
		return
	}
	if *p.input = audited.Input; !p.audit {
		p.input.Kind, p.input.Component = model.InputIgnored, ""
	}
}
