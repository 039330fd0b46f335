package upstream

import (
	"regexp"
	"sync"
)

// cloudShape is how one cloud's API words refusals. A bare number such as 409 is no form: it may be part of a name.
type cloudShape struct {
	cloud string
	text  func() *regexp.Regexp
	seen  string // where the wording was seen
}

// re is a pattern of a table. The first text compiles it: most starts read none.
func re(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// cloudShapes is every form that counts as a cloud's own answer.
var cloudShapes = []cloudShape{
	{"EC2", re(`RequestLimitExceeded`), "aws-ebs-csi-driver issue 535, external-attacher issue 164"},
	{"EC2", re(`status code: (400|403|409|429|5\d\d), request id: `), "aws-sdk-go v1; kubernetes issue 76079"},
	{"EC2", re(`operation error EC2: \w+, .*StatusCode: \d+`), "aws-sdk-go-v2; aws-ebs-csi-driver PR 2500"},
	{"Azure", re(`autorest/azure: Service returned an error`), "go-autorest; kubernetes issues 50150, 78172, 78657"},
	{"Azure", re(`Failure (sending|responding to) request: StatusCode=\d+`), "go-autorest; kubernetes issues 50150, 78657"},
	{"Azure", re(`(?i)\b(code="?|error code: )(OperationNotAllowed|OperationPreempted|AttachDiskWhileBeingDetached|` +
		`ConflictingUserInput|PreconditionFailed|TooManyRequests|Conflict)\b`), "kubernetes issues 50150, 78172, 78657, 74398"},
	{"Azure", re(`(?i)\battachdiskfailed\b`), "public incidents of Azure disks"},
	{"Azure", re(`(?i)\be-?tag\b.*(mismatch|match|condition|precondition)|(precondition|condition).*\be-?tag\b`), "kubernetes PR 78700"},
	{"Azure", re(`HTTPStatusCode: (409|412|429|5\d\d)\b`), "cloud-provider-azure, retry.Error"},
	{"Azure", re(`RawError: \\?Code=\\?"[A-Z]\w+`), "cloud-provider-azure, retry.Error of an operation that Azure began and gave up"},
	{"Compute Engine", re(`googleapi: (got HTTP response code|Error) (200|400|403|409|412|429|5\d\d)\b`),
		"gcp-compute-persistent-disk-csi-driver issue 1129"},
	{"Compute Engine", re(`\bGCE \d{3} - [A-Z_]+`), "in-tree GCE provider; openshift/release issue 7550"},
	{"OpenStack", re(`Expected HTTP response code \[[\d ]+\] when accessing \[\w+ \S+\], but got (400|403|409|413|429|5\d\d) instead`),
		"gophercloud; kubernetes issues 28527, 44536"},
	{"Hetzner Cloud", re(`\bserver is locked\b|\((locked|conflict|rate_limit_exceeded|service_error|resource_unavailable)(, [0-9a-f]+)?\)`),
		"hcloud csi-driver issues 41, 418"},
	{"DigitalOcean", re(`https://api\.digitalocean\.com/\S+: (409|422|429|5\d\d)\b`), "godo; doctl issue 207"},
	{"Alibaba Cloud", re(`Aliyun API Error: RequestId: \S+ Status Code: (400|403|409|429|5\d\d)`), "alibaba-cloud-csi-driver issue 7"},
}

// CloudOf names the cloud whose API worded the text, "" when none did.
func CloudOf(text string) string {
	for _, s := range cloudShapes {
		if s.text().MatchString(text) {
			return s.cloud
		}
	}
	return ""
}
