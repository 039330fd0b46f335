package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

const graphLong = `Prints the objects around a pod or a PersistentVolumeClaim (claim): workload, pod, claim,
volume, the volume's VolumeAttachments and their nodes, each with its state. Without --pod
and --pvc it prints every claim of the bundle and every pod that uses one.`

const graphExample = `  volpost graph ./must-gather --pod shop/orders-db-0
  volpost graph ./must-gather --pvc shop/orders-db-data -o svg > objects.svg
  volpost graph sample:statefulset --pvc shop/data-kafka-1`

func (a app) graphCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "graph BUNDLE...",
		Short:   "Print the objects around a pod or a PersistentVolumeClaim",
		Long:    graphLong,
		Example: graphExample,
	}, a.graph, ofBundle, printing(report.Graphs.Names(), "`FORMAT`: text for a tree, dot for Graphviz, or svg for a picture"), redacting,
		func(c *cobra.Command, f *flags) {
			c.Flags().StringVar(&f.pod, "pod", "", "`NAMESPACE/NAME` of a pod")
			c.Flags().StringVar(&f.claim, "pvc", "", "`NAMESPACE/NAME` of a PersistentVolumeClaim")
		})
}

func (a app) graph(ctx context.Context, bundle []string, f *flags) error {
	of, err := f.object()
	if err != nil {
		return err
	}
	var chain *model.Chain
	err = a.read(ctx, bundle, f, func(ctx context.Context, s *model.Snapshot) (err error) {
		if chain, err = analyze.Chain(ctx, s, of); err != nil {
			return failf("%v", err).hinted("without --pod and --pvc all that it has is printed")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return answer(ctx, a, f, chain, false, report.Graphs.Write)
}

// object is the pod or claim that is requested; without a name when it is all.
func (f *flags) object() (model.Ref, error) {
	kind, given := "Pod", f.pod
	switch {
	case f.pod != "" && f.claim != "":
		return model.Ref{}, usagef("--pod and --pvc are two questions").hinted("run it twice")
	case f.claim != "":
		kind, given = "PersistentVolumeClaim", f.claim
	case f.pod == "":
		return model.Ref{}, nil
	}
	namespace, name, ok := strings.Cut(given, "/")
	if one := name != "" && !strings.Contains(name, "/"); !ok || namespace == "" || !one {
		return model.Ref{}, usagef("%q is not NAMESPACE/NAME", given).hinted("for example shop/orders-db-0")
	}
	return model.Ref{Kind: kind, Namespace: namespace, Name: name}, nil
}
