package ingest

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// klogReport is the controller's line, as it writes it.
const klogReport = `W0501 10:00:00.123456       1 reconciler.go:344] Multi-Attach error for volume "` + formsVolume +
	`" (UniqueName: "kubernetes.io/csi/csi.example.com^vol-1") from node "worker-2" Volume is already exclusively attached to node worker-1 ` +
	`and can't be attached to another`

// What readers of screenshots and careless copies do to blanks and columns loses no report.
func TestFormsOfBlanks(t *testing.T) {
	for name, text := range map[string]string{
		"klog, one blank":          strings.Replace(klogReport, "       1 ", " 1 ", 1),
		"klog, no blank at number": strings.Replace(klogReport, "       1 ", "1 ", 1),
		"klog, none in the header": strings.Replace(strings.Replace(klogReport, "       1 ", "1 ", 1), "] Multi", "]Multi", 1),
		"klog, none at the time":   strings.Replace(klogReport, "W0501 10", "W050110", 1),
		"klog, none at quotes":     strings.NewReplacer(` "`, `"`, `" `, `"`, ` (`, `(`).Replace(klogReport),
		"message, none at quotes":  strings.NewReplacer(` "`, `"`, `" `, `"`).Replace(formsReport),
		"column of the message": "Events:\n  Type     Reason              Age   From                     Message\n" +
			"  Warning  FailedAttachVolume  71s   attachdetach-controller  Multi-Attach error for volume\n" +
			"                                                              \"" + formsVolume + "\"\n" +
			"                                                              Volume is already exclusively\n" +
			"                                                              attached to one node and can't be\n" +
			"                                                              attached to another\n",
		"two columns": "Type     Reason              Age  From           Message\n" +
			"Warning  FailedAttachVolume  71s  attachdetach-  Multi-Attach error for volume\n" +
			"                                  controller     \"" + formsVolume + "\" Volume is\n" +
			"                                                 already exclusively attached to one node\n" +
			"                                                 and can't be attached to another\n",
		"three columns": "Type     Reason         Age  From           Message\n" +
			"Warning  FailedAttach   71s  attachdetach-  Multi-Attach error for volume\n" +
			"         Volume              controller     \"" + formsVolume + "\" Volume is\n" +
			"                                            already exclusively attached to one node\n" +
			"                                            and can't be attached to another\n",
		"name at a hyphen": "Warning FailedAttachVolume 71s attachdetach-controller Multi-Attach error for volume " +
			"\"pvc-3f1c0d5e-7a52-\n4c0b-9a3c-5b8f2f1f9a01\" Volume is already exclusively attached to one node and\ncan't be attached to another\n",
		"narrow column": "Multi-Attach error for volume\n\"" + formsVolume[:23] + "\n" + formsVolume[23:] +
			"\"\nVolume is already exclusively\nattached to one node and can't\nbe attached to another\n",
	} {
		s := readFS(t, fstest.MapFS{"a.txt": {Data: []byte(text + "\n")}})
		if got := reports(s); !slices.Equal(got, []string{formsVolume}) {
			t.Errorf("%s: %q, %+v", name, got, s.Problems)
		}
	}
}
