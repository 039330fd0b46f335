package main

import (
	"bytes"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/volpost/volpost/samples"
)

// TestReportsKeepThePromise validates real reports, also of bundles that hold next to nothing.
func TestReportsKeepThePromise(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(moduleRoot(t), "report", "schema", "report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	bundles := map[string]fstest.MapFS{
		"hostile":      hostileBundle(),
		"notes":        {"notes.txt": {Data: []byte("nothing\n")}},
		"log only":     {"kcm.log": {Data: bareControllerLog(t, "controller-failover")}},
		"events only":  only(sampleFiles(t, "node-deleted"), func(path string) bool { return filepath.Base(path) == "events.yaml" }),
		"without logs": only(playedFiles(t, "detach-failing"), func(path string) bool { return !isLog(path) }),
	}
	texts := map[string][]byte{}
	for _, s := range samples.List() {
		texts[s.Name], _ = ofSample(t, s.Name)
	}
	for name, bundle := range bundles {
		text, _ := explained(t, bundle, name)
		texts[name] = text
	}
	for name, text := range texts {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
