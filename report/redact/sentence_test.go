package redact

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestWordsOfOthersInSentences wants what a driver, a cloud or an author said to lose its names where a sentence of volpost's repeats it
// without a quote of its own; words that no key, path or form makes names stay words.
func TestWordsOfOthersInSentences(t *testing.T) {
	for said, gone := range map[string][]string{
		`User: arn:aws:iam::123456789012:user/storage is not authorized`:         {"123456789012", "storage"},
		`arn:aws:sts::210987654321:assumed-role/node-controller/maria denied it`: {"210987654321", "node-controller", "maria"},
		`rpc error: code = Internal desc = node=storage is full`:                 {"storage"},
		`attach failed: {"node":"storage","pod":"log"}`:                          {`"storage"`, `"log"`},
		`GET /api/v1/namespaces/monitoring/pods/storage failed`:                  {"monitoring", "storage"},
		`account 123456789012 has no quota`:                                      {"123456789012"},
		`https://storage/api said no`:                                            {"storage"},
		`system:serviceaccount:monitoring:storage may not`:                       {"monitoring", "storage"},
		`узел-склад не отвечает`:                                                 {"узел", "склад"},
		`ノード倉庫 は応答しません`:                                                          {"倉庫"},
		`subscription contoso-prüfung/größe`:                                     {"contoso", "prüfung", "größe"},
		`arn:aws-us-gov:sts::210987654321:assumed-role/storage/x denied it`:      {"210987654321", "storage"},
		`storage@prod.iam.gserviceaccount.com lacks it`:                          {"storage", "prod"},
		`ns/database and node/metrics failed, pod/storage too`:                   {"database", "metrics", "storage"},
		`resourceGroup=storage tenant_id=metrics bucket=backup`:                  {"=storage", "=metrics", "=backup"},
		`maria@storage said so`:                                                  {"maria", "storage"},
		`user "storage" cannot`:                                                  {"storage"},
		`nfs storage:/export/data is stale`:                                      {"storage:"},
		`wwn 50:01:43:80:12:34:56:78`:                                            {"50:01", "56:78"},
		`gid 00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff:00:11:22:33`:        {"00:11", "ee:ff"},
		`account 5234567890123456 is over quota`:                                 {"5234567890123456"},
		`acs:ram::5234567890123456:user/storage denied it`:                       {"5234567890123456", "storage"},
		`crn:v1:bluemix:public:is:us-south:a/storage::volume:backup`:             {"storage", "backup"},
		`daemonset/log, sts/storage, deploy/backup, svc/metrics, secret/restore`: {"/log", "storage", "backup", "metrics", "restore"},
		`attached to node(storage), vm-name=backup, "svm":"metrics"`:             {"storage", "backup", "metrics"},
		`s3://storage/backup/database is gone`:                                   {"storage", "backup", "database"},
		"claim `storage` is lost":                                                {"storage"},
		`droplet 123456789 of project 98765432`:                                  {"123456789", "98765432"},
		`the disk of maria@example.com`:                                          {"maria", "example"},
	} {
		r := plainReport()
		i := &r.Incidents[0]
		r.Verdict.Why, r.Verdict.Headline = "It says: "+said, said
		i.Causes = []model.Cause{{Summary: "The driver said: " + said}}
		r.Timeline = []model.TimelineItem{{Text: said}}
		r.Inspection = []model.InspectionItem{{Text: said}}
		out, key := Of(r)
		for place, got := range map[string]string{"why": out.Verdict.Why, "headline": out.Verdict.Headline,
			"cause": out.Incidents[0].Causes[0].Summary, "timeline": out.Timeline[0].Text, "inspection": out.Inspection[0].Text} {
			for _, name := range gone {
				if strings.Contains(got, name) {
					t.Errorf("%s: %s stays in %q", place, name, got)
				}
			}
		}
		if back, err := key.Report(out); err != nil || back.Verdict.Why != r.Verdict.Why {
			t.Errorf("%q comes back as %q (%v)", r.Verdict.Why, back.Verdict.Why, err)
		}
	}
	r := plainReport()
	r.Verdict.Why = "It failed: node: storage; pod: \"controller\" (disk log-analytics)."
	r.Evidence = append(r.Evidence, model.Evidence{Text: `desc = node: storage; pod: "controller" (disk log-analytics)`})
	if out, _ := Of(r); strings.Contains(out.Verdict.Why, "storage") || strings.Contains(out.Verdict.Why, "controller") || strings.Contains(out.Verdict.Why, "log-") {
		t.Errorf("a sentence says what a quote names: %q", out.Verdict.Why)
	}
	r = plainReport()
	r.Verdict.Why = "The pod waits for the volume: it is attached to another node. The pod's node was read; status=False."
	if out, _ := Of(r); out.Verdict.Why != r.Verdict.Why {
		t.Errorf("%q", out.Verdict.Why)
	}
}

// TestFingerprint wants the fingerprint of a cluster to be a pseudonym, which comes back and is another thing in each report.
func TestFingerprint(t *testing.T) {
	r := plainReport()
	r.Bundle.Identities = []string{"kube-system-0123456789ab", "openshift-bbbbbbbbbbbb"}
	out, key := Of(r)
	for i, got := range out.Bundle.Identities {
		kind := []string{"kube-system-", "openshift-"}[i]
		if !strings.HasPrefix(got, kind) || got == r.Bundle.Identities[i] || len(got) != len(r.Bundle.Identities[i]) {
			t.Errorf("%q became %q", r.Bundle.Identities[i], got)
		}
	}
	if back, err := key.Report(out); err != nil || back.Bundle.Identities[0] != r.Bundle.Identities[0] {
		t.Errorf("comes back as %q (%v)", back.Bundle.Identities, err)
	}
}

// TestListsInQuotes wants each name of a list that a quote has behind a key, whatever separates them.
func TestListsInQuotes(t *testing.T) {
	r := plainReport()
	r.Evidence = append(r.Evidence, model.Evidence{Text: "nodes=[storage backup restore] PersistentVolumeClaim metrics/database (pod(s) of it)"})
	out, _ := Of(r)
	got := out.Evidence[len(out.Evidence)-1].Text
	for _, name := range []string{"storage", "backup", "restore", "metrics", "database"} {
		if strings.Contains(got, name) {
			t.Errorf("%s stays in %q", name, got)
		}
	}
	if !strings.HasSuffix(got, "(pod(s) of it)") {
		t.Errorf("%q", got)
	}
}

// TestOwnWordsStay: what a report asks for has to work as it stands.
func TestOwnWordsStay(t *testing.T) {
	for _, said := range []string{
		"its lines have neither zone nor year: year assumed: nothing in the bundle tells it; --year and --log-zone tell them",
		"pages people for waits that end by themselves; curl -fsS -X POST",
		"ipmitool -I lanplus chassis power status; --collected-at and --redact-map",
	} {
		r := plainReport()
		r.Bundle.Problems = []model.Problem{{Message: said}}
		r.Bundle.NotCollected = []model.NotCollected{{Command: said}}
		out, _ := Of(r)
		if got := out.Bundle.Problems[0].Message; got != said {
			t.Errorf("%q is %q", said, got)
		}
		if got := out.Bundle.NotCollected[0].Command; got != said {
			t.Errorf("%q is %q", said, got)
		}
	}
}
