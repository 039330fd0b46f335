package analyze_test

import (
	"context"
	"fmt"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/samples"
)

func ExampleRun() {
	files, err := samples.Bundle("node-deleted")
	if err != nil {
		panic(err)
	}
	bundle := ingest.OpenFS(files, "node-deleted")
	defer bundle.Close() // after the analysis, which reads metrics where they lie
	snapshot, err := ingest.Read(context.Background(), bundle, ingest.Options{})
	if err != nil {
		panic(err)
	}
	report := analyze.Run(context.Background(), snapshot, analyze.Options{})
	fmt.Println(report.Verdict.Status, len(report.Incidents), report.Incidents[0].Causes[0].ID)
	// Output: incident 1 node-down
}
