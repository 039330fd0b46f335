package remedy

import (
	"strings"
)

// command joins words to a line for a POSIX shell. Names come from the bundle, so that every word that is not plain is
// quoted.
func command(words ...string) string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, quote(w))
	}
	return strings.Join(out, " ")
}

const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/:=,@%+"

func quote(w string) string {
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// comment is a line that a shell leaves alone, whatever the text holds.
func comment(text string) string {
	return "# " + strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}

// lookBefore are the checks before anything is taken from a lost node.
func lookBefore(i *Incident) []string {
	return []string{
		comment("Before: make sure that the machine is off, at the cloud or its BMC; that Kubernetes does not hear from it proves nothing."),
		command("kubectl", "get", "node", i.node(), "-o", `jsonpath={.spec.providerID}{"  "}{.status.conditions[?(@.type=="Ready")].status}{"\n"}`),
	}
}
