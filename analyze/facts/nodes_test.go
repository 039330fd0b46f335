package facts

import "testing"

// TestDeploymentNames: which names are those that a Deployment gives its pods: its own, a hash of six to ten, and five characters, none of
// them a vowel or one of 0, 1 and 3.
func TestDeploymentNames(t *testing.T) {
	for name, want := range map[string]string{
		"db-6c5d7f9b84-xk2lp":    "db",
		"my-db-6c5d7f9b84-xk2lp": "my-db",
		"db-6c5d7f-xk2lp":        "db",
		"db-6c5d7-xk2lp":         "",
		"db-6c5d7f9b845-xk2lp":   "",
		"db-6c5d7f9b84-xk2l":     "",
		"db-6c5d7f9b84-xk2lpp":   "",
		"db-6c5d7f9b84-xa2lp":    "",
		"db-6a5d7f9b84-xk2lp":    "",
		"db-6c5d7f9b84-xk1lp":    "",
		"6c5d7f9b84-xk2lp":       "",
		"-6c5d7f9b84-xk2lp":      "",
		"xk2lp":                  "",
		"db":                     "",
		"":                       "",
		"d-6c5d7f9b84-xk2lp":     "d",
		"db-6c5d7f9b84-":         "",
		"db--xk2lp":              "",
	} {
		got, ok := DeploymentName(name)
		if got != want || ok != (want != "") {
			t.Errorf("%q is of %q, %t", name, got, ok)
		}
	}
}
