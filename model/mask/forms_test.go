package mask

import (
	"strings"
	"testing"
	"time"
)

// secretForms are the ways in which a secret, S, stands behind the name of one, N. Nothing of it may be left.
var secretForms = []string{
	"--N S", "--N=S", `--N "S"`, "-N=S", "cmd --N S --v=2", `["--N","S"]`, `["--N", "S","--v=2"]`, `["--N=S"]`, `\"--N\",\"S\"`, "[cmd --N S]",
	"N=S", "N = S", "export DB_N=S", "DB_N='S'", `DB_N="S"`, "MY_N=S;", "x_N=S, next", "(N=S)", "N_2=S", `msg="failed: N=S"`,
	`msg="failed: N=\"S\""`,
	"mount -t cifs -o user=u,N=S,vers=3.0 //h/s /m", "mount -o N=S", "options: [vers=3.0 N=S]",
	"N: S", "  N: S", "- N: S", `  "N": "S"`, `{"N":"S"}`, `{"a":1,"N" : "S"}`, `{\"N\":\"S\"}`, `{\\\"N\\\":\\\"S\\\"}`, "{'N': 'S'}",
	`"db.N": "S"`,
	`{"name":"DB_N","value":"S"}`, `{"name": "DB_N", "value": "S"}`, `{\"name\":\"DB_N\",\"value\":\"S\"}`, `{"value":"S","name":"DB_N"}`,
	`{\"value\":\"S\",\"name\":\"DB_N\"}`,
	`EnvVar{Name:"DB_N",Value:"S",ValueFrom:nil,}`, "{Name:DB_N Value:S ValueFrom:nil}", `secrets:<key:"N" value:"S" >`, `{key:"N" value:"S"}`,
	`key:\"N\" value:\"S\"`, `key: "N" value: "S"`,
	`Config{N:"S", User:"u"}`, "{N:S User:u}", "map[N:S user:u]", `map[string]string{"N":"S"}`,
	"GET /x?a=1&N=S&b=2", `GET /x?a=1\u0026N=S\u0026b=2`, "https://h/x?N=S", `N => S`, "N := S", `<add key="N" value="S"/>`,
	`{"name":"DB_N","optional":true,"value":"S"}`, `{"value":"S","valueFrom":null,"type":"x","name":"DB_N"}`, `["mount" "--N" "S"]`,
	`N = """S"""`, `"N": """S"""`, "N = '''S'''", "GET /x?user[N]=S&b=2", "/x?user%5BN%5D=S", "<vim:N>S</vim:N>", `<x N="S">`,
	`<entry key="db.N">S</entry>`, `<setting name="N"><value>S</value></setting>`, "N -> S", "N ==> S", `"N":{"value":"S"}`,
	"N%3DS", "N&quot;:&quot;S&quot;", `\u0022N\u0022:\u0022S\u0022`, `\x22N\x22: \x22S\x22`, "N[0]=S", "auth.N_in = S",
	"- name: DB_N\n  value: S", "- value: S\n  name: DB_N", "- name: DB_N\n  optional: true\n  value: \"S\"",
	`{"name":"DB_N","x":{"a":{"b":1}},"value":"S"}`,
	`<N xsi:type="xsd:string">S</N>`, `\u003cN\u003eS\u003c/N\u003e`, "iscsiadm -n auth.N -v S",
	"<N><![CDATA[S]]></N>", `<w:N Type='http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText'>S</w:N>`,
	"N&#61;S", `N\u003dS`, "\x1b[36mN\x1b[0m=S", `N['a'] = 'S'`, `variable "db_N" { default = "S" }`, "variable \"db_N\" {\n  default = \"S\"\n}",
	"- name: DB_N\n  value: >-\n    S", "- value: |\n    S\n    S\n  name: DB_N",
}

// secretNames end the names of secrets, and secretsOfAll are what they hold.
var (
	secretNames = []string{"password", "PASSWORD", "Password", "passwd", "pass", "PASS", "passphrase", "pwd", "token", "secret", "SECRET",
		"apiKey", "api_key", "api-key", "access_key_id",
		"secretAccessKey", "clientSecret", "accountKey", "userKey", "private_key", "encryptionKey", "credential", "credentials"}
	secretsOfAll = []string{"HUNTER2", "HUN;HUNTER2", "HUN)HUNTER2", "HUN,HUNTER2", "HUN/HUN@HUNTER2", "HUNTER2==", "HUN$HUNTER2!", "12HUNTER2"}
)

func TestMaskForms(t *testing.T) {
	for _, form := range secretForms {
		for _, name := range secretNames {
			for _, secret := range secretsOfAll {
				text := strings.NewReplacer("N", name, "S", secret).Replace(form)
				text = strings.ReplaceAll(strings.ReplaceAll(text, name+"ame", "Name"), name+"AME", "NAME")
				got := Text(text)
				if strings.Contains(got, "HUN") || !strings.Contains(got, Masked) {
					t.Errorf("%s\nhas become %s", text, got)
				}
				if again := Text(got); again != got {
					t.Errorf("%s\nmasked twice it is %s", got, again)
				}
			}
		}
	}
	t.Logf("%d tried", len(secretForms)*len(secretNames)*len(secretsOfAll))
}

// TestMaskOtherForms has the forms that have no name, or one of their own.
func TestMaskOtherForms(t *testing.T) {
	for _, text := range []string{
		"password=ab&HUNTER2", `password="a'HUNTER2"`, `password='a"HUNTER2'`, "password: a HUNTER2", "password: HUNTER2, retrying",
		`password=a"HUNTER2`, `password=a\HUNTER2`,
		`"password":"a\"HUNTER2"`, `{\"password\":\"a\\\"HUNTER2\"}`, `"password":[72,85,HUNTER2]`, `Password:[]byte{0x1, HUNTER2}`,
		`Password:[1 HUNTER2]`,
		"wrong password: HUNTER2", "node.session.auth.password = HUNTER2", "tokens: HUNTER2",
		"--key HUNTER2", "--key=HUNTER2", "mount -t ceph --key AQBHUNTER2== x", "key AQBhunter2HUNTER2hunter2HUNTER2hunter2== x",
		"-o name=admin,secret=AQBHUNTER2==",
		"redis://:HUNTER2@h", "redis://:HUNTER2@h:6379/0", "postgres://u:HUN/HUNTER2@h/db", "postgres://u:HUN@HUNTER2@h/db",
		"redis://u:123/HUNTER2@h", "amqp://u:HUN'HUNTER2@h", "https://u:HUN#?HUNTER2@h",
		"https://HUNTER2hunter2HUNTER2hunter2@github.example", "u:HUNTER2@tcp(db:3306)/x", "curl -u u:HUNTER2 https://h",
		"curl --user 'u:HUNTER2' https://h", "mysql -u root -pHUNTER2 db",
		"Authorization: Basic HUNTER2", "authorization: basic HUNTER2==", `{"Authorization":"Basic HUNTER2"}`, "map[Authorization:[Basic " +
			"HUNTER2] Accept:[x]]", `Authorization: Digest username="u", response="HUNTER2"`,
		"Authorization: AWS4-HMAC-SHA256 Credential=a/b, Signature=HUNTER2", "curl -H 'Authorization: Basic HUNTER2' https://h",
		"Proxy-Authorization: Basic HUNTER2", "Authorization: HUNTER2", "basic SFVO2=",
		"Cookie: a=HUNTER2; b=HUNTER2", "Set-Cookie: sid=HUNTER2; Path=/", "X-Auth-Token: HUNTER2", "X-Vault-Token: HUNTER2",
		"X-Api-Key: HUNTER2",
		"X-Amz-Signature=HUNTER2", `{"name":"DB_PASSWORD","value":"HUNTER","x":1}`, `"password":"none HUNTER2"`, "password=none;HUNTER2",
		"secret=/HUN+ter2==", "password=$(HUNTER2", "password=&HUNTER2", `"password":"{HUNTER2"`, "password={HUNTER2", `"password":"{\"HUNTER2"`,
		"got token: HUNTERabcdefghijk from x", "sent X-Vault-Token: HUNTER, got 403", `{"value":"HUNTER","name":"DB_PASSWORD"}`,
		`{"value":HUN,"name":"DB_PASSWORD"}`, "https://b/x?X-Amz-Credential=HUNTER2&X-Amz-Signature=HUNTER2&x=1",
		`https://b/x?se=1\u0026sig=HUNTER2\u0026sp=r`, "https://maps/?key=HUNTER2",
		"github_pat_11ABCDEFG0HUNTER2HUNTER2", "glpat-abcdefghijkHUNTER2HUNTER2", `"auths":{"r":{"auth":"HUNTER2="}}`, `{\"auth\":\"HUNTER2=\"}`,
		`"containers":[{"args":["-c","mysql -pHUNTER2"],"image":"i"}]`, `"command":["sh","-c","HUNTER2"]`, `{\"args\":[\"HUNTER2\"]}`,
		`Container{Args:[]string{"HUNTER2"}, Image:"i"}`, "{Name:c Args:[a HUNTER2] Image:i}",
		`"secrets":{"userID":"HUNTER2"}`, `"Annotations:map{HUNTER2`, `x\"Annotations:map[HUNTER2 b:c]`,
		"AccountName=a;AccountKey=HUNTER2;EndpointSuffix=x",
		"ipmitool -I lanplus -H h -U admin -P HUNTER2 chassis power status", `["ipmitool","-P","HUNTER2","power"]`, "fence_ipmilan -a h -p HUNTER2 -o off",
		"fence_vmware_rest -a vc -l u -p 'HUNTER2' -z", "curl -fsSu u:HUNTER2 https://h", "sshpass -p HUNTER2 ssh h", "redis-cli -a HUNTER2",
		"mongosh -u u -p HUNTER2", "ldapsearch -D cn=a -w HUNTER2", "kubeadm join h:6443 --certificate-key HUNTER2", "psk=HUNTER2",
		`wpa psk="HUNTER2"`, "pw=HUNTER2", `"pw":"HUNTER2"`, "user_pw: HUNTER2",
		"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nHUNTER2abc\nHUNTER2==\n-----END RSA PRIVATE KEY-----\nafter it",
		"  -----BEGIN PGP PRIVATE KEY BLOCK-----\n  Version: HUN\n\n  HUNTER2", `key: -----BEGIN PGP PRIVATE KEY BLOCK-----\n\nHUNTER2`,
		"POST https://hooks.slack.com/services/T0HUNTER2/B0HUNTER2/HUNTER2hunter2",
		"password: |\n  HUNTER2\n  HUNTER2\nname: x", "password: >-\n  HUN TER2", "password =\n  HUNTER2", "x = {\n  token: |-\n    HUNTER2\n",
		"password = <<EOT\nHUNTER2\nEOT", "[upload-certs] Using certificate key:\nHUNTER2abcdef0123456789", "Using certificate key: HUNTER2abcdef0",
		"2026-03-14T10:00:00Z stderr F -----BEGIN RSA PRIVATE KEY-----\n2026-03-14T10:00:00Z stderr F HUNIEowIBAAKCAQEA\n" +
			"2026-03-14T10:00:00Z stderr F HUNTER2=", "> -----BEGIN PRIVATE KEY-----\n> HUNTER2==", "\"-----BEGIN PRIVATE KEY-----\",\n\"HUNTER2==\",",
		"-----BEGIN DSA PRIVATE KEY-----\nX-Header: HUN\n\nHUNTER2=", "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nHUNTER2",
		"Private-Lines: 2\nHUNTER2\nHUNTER2", "password 'HUNTER2' is wrong", "CREATE USER u IDENTIFIED BY 'HUNTER2'",
		"POST https://acme.webhook.office.com/webhookb2/HUNTER2-aaaa@bbbb/IncomingWebhook/HUNTER2/d", "https://outlook.office.com/webhook/HUNTER2@b/c",
		"https://canary.discord.com/api/webhooks/123456789/HUNTER2", "https://api.telegram.org/bot123456:HUNTER2/sendMessage",
		"https://hooks.slack.com/triggers/T0/HUNTER2", "https://events.pagerduty.com/integration/HUNTER2abc/enqueue",
		`["mysql","-u","root","-pHUNTER2"]`, "mysqladmin -p'HUNTER2' x", "mariadb -uroot -pHUNTER2", "REDISCLI_AUTH=HUNTER2",
		"openssl enc -k HUNTER2 -in x", "docker login -u u -p HUNTER2 reg", "az login --service-principal -p HUNTER2", `["helm","registry","login","-p","HUNTER2"]`,
		"skopeo copy --src-creds u:HUNTER2 x", "useradd -p HUNTER2 x", "echo 'root:HUNTER2' | chpasswd", "echo HUNTER2 | passwd --stdin root",
		"curl -U u:HUNTER2 https://h", "curl --proxy-user u:HUNTER2 https://h", `curl -b "sid=HUNTER2" https://h`,
		"govc about -u 'https://administrator@vsphere.local:HUNTER2@vc/sdk'", "GOVC_URL=u:HUNTER2@vc", "sqlplus u/HUNTER2@db", "jdbc:oracle:thin:u/HUNTER2@//h",
		"u:HUNTER2@(db:3306)/x", "Ocp-Apim-Subscription-Key: HUNTER2", "K10" + strings.Repeat("a", 64) + "::server:HUNTER2",
		`"csi.storage.k8s.io/serviceAccount.tokens":"{\"\":{\"token\":\"HUNTER2\"}}"`, `SecretAccessKey:(HUNTER2)`,
		"mount.cifs //h/s /m -o user=u%HUNTER2,vers=3.0", "smbclient //h/s -U 'dom\\u%HUNTER2'", "etcdctl --user root:HUNTER2 get x",
		"kubectl create secret generic db --from-literal=dsn=HUNTER2", "echo -n 'HUNTER2' | cryptsetup luksOpen /dev/x y -",
		"echo HUNTER2 | docker login -u x --password-stdin", "cram-hmac-alg sha1; shared-secret \"HUNTER2\";", "| adminPass | HUNTER2 |",
		"| secret_key | HUNTER2 |", "CRYPTO_KEY_VALUE: HUNTER2", "Unseal Key 1: HUNTER2abc", `"unseal_keys_b64":["HUNTER2"]`, "SECRET_KEY_BASE=HUNTER2",
		"DD_APP_KEY=HUNTER2", "APP_KEY=base64:HUNTER2=", `"licenseKey":"HUNTER2"`, "x-amz-server-side-encryption-customer-key: HUNTER2",
		"nvme connect -S DHHC-1:00:HUNTER2abc==: -a h", "root:$6$HUNTER2salt$HUNTER2abcdefghi:19000:0", `"passwordHash":"$2y$10$HUNTER2abcdef"`,
		"<password>\n  HUNTER2\n</password>", "password=\\\n  HUNTER2", "password: !vault |\n  HUN\n  HUNTER2", "passwords:\n  - HUNTER2\n  - HUNTER2",
		"tokens:\n- HUNTER2\n- HUNTER2", "bindPW: HUNTER2", "bindpw: HUNTER2", "rootpw=HUNTER2", "--pass-phrase HUNTER2", "secret_id: HUNTER2",
		`"dockercfg":"HUNTER2"`, "luks_key: HUNTER2", "SET PASSWORD FOR u = 'HUNTER2'", "--basic-auth=u:HUNTER2", "--auth u:HUNTER2",
		"aws configure set aws_secret_access_key HUNTER2hunter2xyz", "AKIAABCDEFGHIJKLMNOP:HUNTER2hunter2HUNTER2hunter2HUNTER2hunte",
		`{"db_password":{"sensitive":true,"type":"string","value":"HUNTER2"}}`, "\"db_password\": {\n  \"sensitive\": true,\n  \"value\": \"HUNTER2\"\n}",
		"password\tHUNTER2", "DB_PASSWORD        HUNTER2", "password......: HUNTER2", "Password [hidden]: HUNTER2", "passwordHash=HUNTER2", "token_value: HUNTER2",
		"SecretString: \"HUNTER2\"", "apikeys: [\"HUNTER2\"]", "api keys: HUNTER2", "sas.key: HUNTER2", "racadm -r h -u root -p HUNTER2 getsvctag",
		"hdparm --security-unlock HUNTER2 /dev/x", "virsh secret-set-value --secret u --base64 HUNTER2", "govc session.login -u u:HUNTER2@vc",
		"kadmin -w HUNTER2 -q x", "net ads join -U a%HUNTER2", "zip -P HUNTER2 a.zip x", "7z x -pHUNTER2 a.7z", "snmpget -v2c -c HUNTER2 h",
		"snmpwalk -v3 -A HUNTER2 -X HUNTER2 h", "wpa_passphrase ssid HUNTER2", "mc alias set m http://m:9000 u HUNTER2",
		"printf '%s' 'HUNTER2' | cryptsetup luksOpen /dev/x y", `echo -n "HUNTER2" | sudo -S mount /x`,
		`volume_id:"v" secrets:<key:"k" value:"HUN>TER2" > secrets:<key:"l" value:"HUNTER2" > node_id:"n"`, `secrets:{key:"k" value:"HUNTER2"}`,
		`{"nodePublishSecrets":{"k":"HUNTER2"}}`, `{\"Secrets\":{\"k\":\"HUNTER2\"}}`, "stageSecrets=map[k:HUNTER2]", "Secrets:map[k:HUNTER2 l:HUNTER2]",
		`Secrets:map[string]string{"k":"HUNTER2"}, NodeId:"n"`, "Env:[]EnvVar{EnvVar{Name:X,Value:HUNTER2,ValueFrom:nil,},},", "annotations=map[k:HUNTER2]",
		"env: [{name: X, value: HUNTER2}]", "annotations: {k: HUNTER2}", "args: [--x, HUNTER2]", "args: [--y=1, --x=HUNTER2]",
		"annotations:\n  k: HUNTER2\n  l:\n    HUNTER2\nname: x", "- args:\n  - HUNTER2\n  image: i", "stringData:\n  k: HUNTER2",
		"    Environment:\n      X:  HUNTER2\n    Mounts: x", "Annotations:  a: b\n              k: HUNTER2\nStatus: x",
		"key1 FULL " + strings.Repeat("A", 80) + "HUNTER==",
	} {
		got := Text(text)
		if strings.Contains(got, "HUN") || !strings.Contains(got, Masked) {
			t.Errorf("%s\nhas become %s", text, got)
		}
		if again := Text(got); again != got {
			t.Errorf("%s\nmasked twice it is %s", got, again)
		}
	}
}

// TestMaskLeaves has what only looks like a secret.
func TestMaskLeaves(t *testing.T) {
	for _, text := range []string{
		"--key-file=/x", "--key=/etc/tls.key", "--tls-private-key-file /etc/x", "--client-key=/x/y.pem", "secretName: foo", "secretName=foo",
		"passwordless login", "a token bucket of 10", `secret "x" not found`,
		`resourceVersion: "12345"`, "imagePullSecrets: [{name: foo}]", `"imagePullSecrets":[{"name":"pull"}]`, "imagePullSecret=foo",
		`"nodeStageSecretRef":{"name":"x","namespace":"y"}`, "nodeStageSecretRef: {name: x}",
		`csi.storage.k8s.io/node-stage-secret-name: rook-csi-rbd-node`, "volumeHandle: vol-0abc1234def567890", "uid: " +
			"88874655-0634-4133-be87-74eaa6add64e", `"secrets":[{"name":"default-token"}]`,
		`key="node.kubernetes.io/unreachable"`, "key: node.kubernetes.io/not-ready", `"key":"node.kubernetes.io/not-ready","operator":"Exists"`,
		`key="shop/kafka"`, `{key:"topology.gke.io/zone" value:"europe-west1-b"}`,
		`"key":"app","value":"web"`, "topologyKey: kubernetes.io/hostname", "key: ca.crt", "monkey: 12345678", `secret="shop/tls"`,
		`"secret":"shop/tls"`, "secret:", "Secret:nil,NFS:nil,ISCSI:nil",
		"ServiceAccountToken:&ServiceAccountTokenProjection{Audience:,ExpirationSeconds:*3607,Path:token,}",
		"Secret:(*v1.SecretVolumeSource)(nil)", `serviceAccountToken":{"expirationSeconds":3607,"path":"token"}`,
		"AutomountServiceAccountToken:nil", "bypass=true", "compass: north", "DB_PASSWORD_FILE=/run/x", "--token-ttl=10s",
		"the flag --token is deprecated", "--password --v=2", "use --secret to name one",
		`{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"key":"password","name":"db"}}}`, `{"name":"A","value":"x"},{"name":"B","value":"y"}`,
		`value:"x" name:"a"`, `"value":"x","name":"token-ttl"`,
		"failed to fetch token: the server has failed", "wrong password: the server has closed", "http://h:8080/a@b", "https://h:6443/apis/x",
		"git+ssh://git@github.example/x", "image@sha256:abcdef", "mail bob@example.com",
		"Basic authentication failed", "x-amz-request-id=abc", "https://h/x?timeout=10s&limit=500", `"command":"kubectl"`, "args: none", "args: [--timeout=60s, --leader-election]",
		"command: [kube-apiserver, --default-unreachable-toleration-seconds=60]",
		`Args:      ["x"]`, "Annotations: <none>", "ghp_short", "task-admin-0", "hf_short",
		"--authorization-mode=Node", `password: ""`, "password=$(DB_PASSWORD)", "password: ***stripped***", "PASSWORD: <set to the key 'p' in " +
			"secret 'db'>", "curl -u user https://h", "mkdir -p /x", "mysql -p", "Token:0xc000123456 Secret:0xc000123456", "https://user:@h/x",
		"cannot refresh the token: invalid", "refreshing the token: server closed it", "preauthorization=Node1", "public-key-data: abc1",
		"kms_key_id=abc1",
		`{"value":"x","name":"bypass"}`, "--key /etc/tls.pem", "--secret /etc/x", `oldvalue="x" name="password"`,
		"upw=1", "taskpsk: 1", "fence_ipmilan started", "ipmitool power status", "ldapsearch -x", "sshpass -f /x ssh", "<password/>", "<password></password>",
		"reads -----BEGIN RSA PUBLIC KEY-----\nMIIB\n-----END RSA PUBLIC KEY-----", "see https://hooks.slack.com/services/", "a[password]", "user[name]=x",
		`{"name":"A","optional":true,"value":"x"}`, `["mount" "--types" "ext4"]`, "if a password > 8 letters <b", "iscsiadm -n node.startup -v automatic",
		"password:\n  secretKeyRef:\n    name: db", "wrong password:\nthe server closed it", "password:\nusername: x", "path: token\nmode: 420",
		"token:\n  path: x", "- name: token-ttl\n  value: 10s", "- name: A\n  value: x\n- name: DB_PASSWORD\n  valueFrom: {}", "- value: x\n- name: DB_PASSWORD",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "<entry key=\"user\">x</entry>", "unexpected token 'x' in JSON",
		"the public key: x1", "see https://discord.com/api/webhooks/1", "docker login -u u reg", "mkdir -p /x/y; docker pull x", "mariadb -u root",
		"K10 of it", "openssl version", "https://user@h:8080/a@b", "oc get pods -p 1", "-----BEGIN PRIVATE KEY-----[masked]\nand then it failed",
		"mount.cifs -o user=u,vers=3.0", "etcdctl --user root get x", "echo done | tee x", `secret "shared-secret" not found`,
		"the shared-secret is missing", "| Name | secret |", "| password_file | /run/x |", "Pass 1: Checking inodes, blocks, and sizes", "key 1: value x",
		"configMapKey: HUNTER", "{\"configMapKeyRef\":{\"key\":\"x\"}}", "awk '{print $1$2}'", "costs $1 a month", "sha256:" + strings.Repeat("a", 64),
		"pod-template-hash=5d8f7c9b44", "pvc-0a1b2c3d-1111-2222-3333-444455556666", "registry.example/a@sha256:" + strings.Repeat("0f", 32),
		"csi-" + strings.Repeat("0f", 32), "iqn.2005-10.org.freenas.ctl:pvc-1", "naa.60a98000486e2f34", "session id: 1234567890abcdef", "topology key: zone-a",
		"TOKEN   TTL   EXPIRES", "NAME   SECRETS   AGE", "authorized_keys: x", "keys: a, b", "password  is wrong here", `"password":{"type":"string"}`,
		"certificate-key 12 is one", "UPW=1", "supw: 1", "access_key is missing", "the secret_access_key of the user", "snmpd started", "mc: 4 of 5",
		"zip -r a.zip x", "net use is off", "kadmin started", "echo done | sudo tee /x", `"imagePullSecrets":{}`, "secrets: none",
		"Args:\n\nnothing", "command: none", "annotations=none", "value: |\n", "tokens:\n- name: x\n  path: y",
		"credentials: the key is missing", "auth: none", "signature: the image has none",
	} {
		if got := Text(text); got != text {
			t.Errorf("%s\nhas become %s", text, got)
		}
	}
}

// TestServices wants of each kind of token one that is long enough masked, and one that is not, left.
func TestServices(t *testing.T) {
	lines := 0
	for line := range strings.Lines(listOfServices) {
		if !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "" {
			lines++
		}
	}
	if len(services) != lines || lines < 70 {
		t.Errorf("%d of %d lines of the list are read", len(services), lines)
	}
	for _, s := range services {
		long := s.prefix + strings.Repeat("Q", s.length)
		if got := Text("x " + long + " y"); got != "x "+Masked+" y" {
			t.Errorf("%s has become %s", long, got)
		}
		if short := "x " + long[:len(long)-1] + " y"; Text(short) != short {
			t.Errorf("%s has become %s", short, Text(short))
		}
		if part := "xx" + long; !strings.Contains(part, "eyJ") && Text(part) != part {
			t.Errorf("%s has become %s", part, Text(part))
		}
	}
}

// TestMaskIsLinear gives it half a megabyte that begins something everywhere. What takes time by the square takes minutes.
func TestMaskIsLinear(t *testing.T) {
	for _, part := range []string{
		"token", "-token ", "password=", `password="`, `password:\"`, `"value":"`, `value:\"`, "value:'", `value="x" name="`, "://", "://a:",
		"http://a:1/@", "://a:b@", "key", "key=[", `password=[`, "password=[]byte{",
		`"env":[`, `\"env\":[`, "Args:[", "Annotations:map{", "authorization: digest ", "authorization:[", "cookie: a=", "curl -u ", "curl ",
		"mysql ", "mysql -p ", ":@tcp(", ":", "ghp_", "sk-proj-a", "eyJ", "AQ", "&key=",
		"secret ", "\\\\", `\"`, "token\\", "pass-pass.", "Annotations: ", "password:\n", "password: |\n x", "- name: token\n", "- value: x\n",
		"-----BEGIN PRIVATE KEY-----\n", "a -----BEGIN PRIVATE KEY-----\nx\n", "password <<A\n", "&quot;token", "<entry key=\"token\">", " -p ",
		"docker login ", "https://discord.com/api/webhooks/", "password->", "token=<<",
	} {
		start := time.Now()
		Text(strings.Repeat(part, 1<<19/len(part)))
		if spent := time.Since(start); spent > 5*time.Second {
			t.Errorf("%d kB of %q take %s", 1<<9, part, spent)
		} else if spent > time.Second {
			t.Logf("%q takes %s", part, spent)
		}
	}
}
