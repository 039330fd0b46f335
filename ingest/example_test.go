package ingest_test

import (
	"context"
	"fmt"

	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/samples"
)

func ExampleRead() {
	files, err := samples.Bundle("handover")
	if err != nil {
		panic(err)
	}
	bundle := ingest.OpenFS(files, "handover") // or ingest.OpenSources(ingest.Source{Path: "must-gather.tar.gz"})
	defer bundle.Close()
	snapshot, err := ingest.Read(context.Background(), bundle, ingest.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(snapshot.VolumeAttachments) > 0, len(snapshot.Observations) > 0)
	// Output: true true
}
