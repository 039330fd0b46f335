package mask

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// masked are texts with a secret, which is HUNTER2 or ends in it, and near misses, which stay as they are.
var masked = []struct{ name, text, want string }{
	{"flag", `    - --token=HUNTER2`, `    - --token=[masked]`},
	{"flag and more", `--password=HUNTER2 --v=2`, `--password=[masked] --v=2`},
	{"yaml", `  password: HUNTER2`, `  password: [masked]`},
	{"yaml quoted", `  password: "HUN\"TER2"`, `  password: "[masked]"`},
	{"yaml single", `  token: 'HUNTER2'`, `  token: '[masked]'`},
	{"json", `{"user":"u","password":"HUNTER2","n":1}`, `{"user":"u","password":"[masked]","n":1}`},
	{"json in json", `{"log":"{\"password\":\"HUNTER2\",\"n\":1}\n"}`, `{"log":"{\"password\":\"[masked]\",\"n\":1}\n"}`},
	{"env", `DB_PASSWORD=HUNTER2 DB_HOST=db`, `DB_PASSWORD=[masked] DB_HOST=db`},
	{"camel", `"clientSecret": "HUNTER2"`, `"clientSecret": "[masked]"`},
	{"log", `login failed password=HUNTER2, retrying`, `login failed password=[masked], retrying`},
	{"log with digits", `got token: abcHUNTER2 from the server`, `got token: [masked] from the server`},
	{"bearer", `Authorization: Bearer abcdef.HUNTER2-HUNTER2`, `Authorization: Bearer [masked]`},
	{"bearer alone", `curl -H "bearer abcdefghijklHUNTER2"`, `curl -H "bearer [masked]"`},
	{"jwt", `GET /?x=eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.HUNTER2 200`, `GET /?x=[masked] 200`},
	{"pem", `key: -----BEGIN RSA PRIVATE KEY-----\nHUNTER2`, `key: -----BEGIN RSA PRIVATE KEY-----[masked]`},
	{"kubeconfig", `    client-key-data: LS0tLS1CRUdJTiBIUNTER2==`, `    client-key-data: [masked]`},
	{"aws", `id AKIAABCDEFGHIJKLMNOP used`, `id [masked] used`},
	{"url", `dial postgres://shop:HUNTER2@db:5432/x`, `dial postgres://shop:[masked]@db:5432/x`},
	{"signed url", `GET https://x.blob/y?se=1&sig=HUNTER2%3D&sp=r`, `GET https://x.blob/y?se=1&sig=[masked]&sp=r`},
	{"parameter", `GET /x?password=HUNTER2&b=2 200`, `GET /x?password=[masked]&b=2 200`},
	{"annotations", `{"metadata":{"annotations":{"a":"}HUNTER2","b":"{"},"name":"x"}}`, `{"metadata":{"annotations":{[masked]},"name":"x"}}`},
	{"annotations in json", `"{\"annotations\":{\"a\":\"HUNTER2\"},\"name\":\"x\"}"`, `"{\"annotations\":{[masked]},\"name\":\"x\"}"`},
	{"annotations cut off", `{"annotations":{"a":"HUNTER2`, `{"annotations":{[masked]`},
	{"env list", `{"env":[{"name":"A","value":"HUNTER2"}],"image":"i"}`, `{"env":[[masked]],"image":"i"}`},
	{"secret data", `{"kind":"Secret","data":{"p":"HUNTER2"},"type":"Opaque"}`, `{"kind":"Secret","data":{[masked]},"type":"Opaque"}`},
	{"last applied", `    kubectl.kubernetes.io/last-applied-configuration: '{"x":"HUNTER2"}'`,
		`    kubectl.kubernetes.io/last-applied-configuration: [masked]`},
	{"last applied json", `"kubectl.kubernetes.io/last-applied-configuration":"{\"x\":\"HUNTER2\"}\n","b":1`,
		`"kubectl.kubernetes.io/last-applied-configuration":"[masked]","b":1`},
	{"describe", `Annotations:     pv.kubernetes.io/x: HUNTER2`, `Annotations:     [masked]`},
	{"go dump", `ObjectMeta{Name:"x", Annotations:map[string]string{"a":"}HUNTER2"}, Labels:nil}`,
		`ObjectMeta{Name:"x", Annotations:map[string]string{[masked]}, Labels:nil}`},
	{"lines", "password: HUNTER2\nname: x", "password: [masked]\nname: x"},

	{"no value", `tokenExpirationSeconds: 3607`, ""},
	{"a name of a secret", `secretName: shop-tls`, ""},
	{"a file", `- --service-account-private-key-file=/etc/kubernetes/pki/sa.key`, ""},
	{"a file with a token", `--token-auth-file=/etc/x`, ""},
	{"a switch", `automountServiceAccountToken: true`, ""},
	{"mode", `--authorization-mode=Node,RBAC`, ""},
	{"sentence", `error refreshing the token: the server has asked for credentials`, ""},
	{"toleration", `tolerationSeconds: 300`, ""},
	{"no bearer", `the bearer token is missing; basic authentication is off`, ""},
	{"attachment", `csi-c5700d6b6af4dd1d03055e4e33b2037720bb5d7e3b60522b07d0161b8acacd6f`, ""},
	{"no annotations", `{"annotations":{},"name":"x"}`, ""},
	{"describe none", `Annotations:     <none>`, ""},
	{"default class", `    storageclass.kubernetes.io/is-default-class: "true"`, ""},
	{"url without", `https://10.0.0.1:6443/api/v1/nodes?timeout=10s`, ""},
	{"secret reference", `"Unable to fetch secret" secret="shop/tls" pod="shop/web-0"`, ""},
	{"nil", `token=<nil> password=""`, ""},
	{"masked", `--token=[masked] {"annotations":{[masked]}}`, ""},
	{"event name", `worker.189b0c7766554433`, ""},
}

func TestMask(t *testing.T) {
	for _, c := range masked {
		want := c.want
		if want == "" {
			want = c.text
		}
		got := Text(c.text)
		if got != want {
			t.Errorf("%s: %s\nhas become %s\nwant       %s", c.name, c.text, got, want)
		}
		if written := writtenMask(c.text); got != written {
			t.Errorf("%s: every rule on every line makes it %s", c.name, written)
		}
		if again := Text(got); again != got {
			t.Errorf("%s: masked twice it is %s", c.name, again)
		}
	}
}

// TestQuoteHasNoSecret wants neither the text nor the hash of a quote to depend on a secret.
func TestQuoteHasNoSecret(t *testing.T) {
	one, other := Quote("--token=HUNTER2 x"), Quote("--token=other x")
	if one != other || strings.Contains(one.Text, "HUNTER2") {
		t.Errorf("%+v and %+v differ", one, other)
	}
	long := Quote(strings.Repeat("x", model.MaxQuote-10) + " --password=HUNTER2")
	if strings.Contains(long.Text, "HUN") {
		t.Error("a secret that is cut off shows its beginning")
	}
	for n := range len(Masked) + 2 {
		cut := Quote(strings.Repeat("x", model.MaxQuote-n-12) + " --password=HUNTER2 and more of the line").Text
		if i := strings.LastIndex(cut, "["); i >= 0 && cut[i:] != Masked && !strings.HasPrefix(cut[i:], Masked+" ") {
			t.Errorf("a quote ends in the middle of a mask: %q", cut[i:])
		}
	}
}

func FuzzMask(f *testing.F) {
	for _, c := range masked {
		f.Add(c.text)
	}
	f.Add("<pw -pw >0")
	for _, text := range []string{"x -----BEGIN PRIVATE KEY-----\nx abc=\n\nend", "password: |\n  a\n  b\nc: d", "token = <<E\na\nE", "pwd:\n a",
		"- value: x\n  name: token", "- name: token\n  value: x"} {
		f.Add(text)
	}
	for _, form := range secretForms {
		f.Add(strings.NewReplacer("N", "password", "S", "HUNTER2").Replace(form))
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := Text(text)
		if strings.Count(text, "\n") != strings.Count(once, "\n") {
			t.Errorf("%q has other lines: %q", text, once)
		}
		if again := Text(once); again != once {
			t.Errorf("%q is %q, and masked twice %q", text, once, again)
		}
		// Regular expressions take the long s and the sign of Kelvin for letters, too.
		if written := writtenMask(text); once != written && !strings.ContainsAny(text, "\u017f\u212a") {
			t.Errorf("%q is %q, and %q with every rule on every line", text, once, written)
		}
	})
}

func BenchmarkMaskNothing(b *testing.B) {
	line := `I1121 06:12:40.084123       1 reconciler.go:276] "Multi-Attach error: volume is already used by pods" ` +
		`logger="persistentvolume-attach-detach-controller" pods=["shop/orders-db-56659c7b56-whct6"] attachedTo=["worker-1"]`
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		Text(line)
	}
}
