package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// authorizerRows: the API server refused a kubelet an object that no pod of its node refers to
// (plugin/pkg/auth/authorizer/node). Most refusals are harmless; of volumes only those of PersistentVolumes are kept.
var authorizerRows = newTable(apiServer, []row{
	{text: "NODE DENY", since: "1.19–1.36", kind: model.NodeDenied, read: readDenied},
})

// readDenied reads err="node 'n' cannot get unknown pv /<name>".
func readDenied(r *logline.Record, o *model.Observation) bool {
	o.Detail = r.Get("err")
	rest, ok := strings.CutPrefix(o.Detail, "node '")
	if !ok || !strings.Contains(rest, " pv /") {
		return false
	}
	o.Node, _, ok = strings.Cut(rest, "'")
	return ok && o.Node != ""
}
