package table

import (
	"bytes"
	"testing"
)

func TestSplit(t *testing.T) {
	const pv = "apiVersion: v1\nkind: PersistentVolume\nspec:\n  csi: {}\n"
	const class = "parameters:\n  multiattach: \"True\"\napiVersion: storage.k8s.io/v1\nkind: StorageClass\n"
	const made = "apiVersion: v1\nkind: Node\nmetadata:\n  uid: 0b6e0d6e-1f8a-4c6b-9d51-2f0c3a7b8e01\n"
	for _, c := range []struct {
		why, data, objects string
	}{
		{"below its command", "$ kubectl get pv pv-1 -o yaml\n" + pv + "done\n", "\n" + pv + "\n"},
		{"in a fence below its command", "$ oc get pv pv-1 -oyaml\n```\n" + pv + "```\n", "\n\n" + pv + "\n"},
		{"up to a description", "# kubectl get pv pv-1 -o yaml\n" + pv + "Name:  db-0\nNode:  n\n", "\n" + pv + "\n\n"},
		{"two of them", "$ kubectl get pv a -o yaml\n" + pv + "$ kubectl get pv b -o yaml\n" + pv, "\n" + pv + "---\n" + pv},
		{"as JSON, cut at the end", "$ kubectl get node n -o json\n{\n  \"kind\": \"Node\",\n", "\n{\n  \"kind\": \"Node\",\n"},
		{"made by a filter of jq", "$ kubectl get va -o json | jq '.items[] | {node: .spec.nodeName}'\n{\n  \"node\": \"n\"\n}\n", ""},
		{"passed by jq", "$ kubectl get va -o json | jq .\n{\n  \"kind\": \"List\"\n}\n", "\n{\n  \"kind\": \"List\"\n}\n"},
		{"an example in prose", "Write this:\n\n" + pv, ""},
		{"a StorageClass in prose", "I use this:\n```\n" + class + "```\nand it hangs\n", "\n\n" + class + "\n\n"},
		{"made by a cluster, in prose", "It says\n\n" + made + "\nand\n\n" + made, "\n\n" + made + "\n\n---\n" + made},
		{"a word like a key", "kind: StorageClass is what I use\n\nnote: apiVersion: is storage\n", ""},
		{"below another command", "$ kubectl apply -f - <<EOF\n" + pv + "EOF\n", ""},
		{"prose between", "$ kubectl get pv\nNAME   CAPACITY\nand as YAML it should be\n" + pv, ""},
		{"indented as in a list", "1. Look:\n\n    # kubectl get pv a -oyaml\n    apiVersion: v1\n    kind: PersistentVolume\n    spec:\n      csi: {}\n\ndone\n",
			"\n\n\n" + pv + "\n\n"},
		{"indented, made by a cluster", "  - It says\n\n    apiVersion: v1\n    kind: Node\n    metadata:\n      uid: 0b6e0d6e-1f8a\n",
			"\n\napiVersion: v1\nkind: Node\nmetadata:\n  uid: 0b6e0d6e-1f8a\n"},
		{"indented, an example", "  - Write\n\n    apiVersion: v1\n    kind: Node\n", ""},
		{"nothing", "", ""},
	} {
		text, objects := Split([]byte(c.data))
		if string(objects) != c.objects {
			t.Errorf("%s: objects %q", c.why, objects)
		}
		if c.objects == "" && string(text) != c.data {
			t.Errorf("%s: text %q", c.why, text)
		}
		if c.objects != "" && bytes.Count(text, []byte("\n")) != bytes.Count([]byte(c.data), []byte("\n")) {
			t.Errorf("%s: the text lost lines: %q", c.why, text)
		}
	}
}
