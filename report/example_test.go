package report_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
)

func ExampleWrite() {
	files, err := samples.Bundle("node-deleted")
	if err != nil {
		panic(err)
	}
	bundle := ingest.OpenFS(files, "node-deleted")
	defer bundle.Close()
	snapshot, err := ingest.Read(context.Background(), bundle, ingest.Options{})
	if err != nil {
		panic(err)
	}
	var text bytes.Buffer
	if err := report.Write(&text, "json", analyze.Run(context.Background(), snapshot, analyze.Options{})); err != nil {
		panic(err)
	}
	back, err := report.Read(&text) // held against the schema
	if err != nil {
		panic(err)
	}
	fmt.Println(back.Schema, back.Verdict.Status)
	// Output: volpost/report/v1 incident
}
