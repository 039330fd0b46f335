package main

import (
	"cmp"
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

type graphFlags struct {
	pod, claim, format string
	redact             redactFlags
	bundleFlags
}

func (a app) graphCommand() *cobra.Command {
	var flags graphFlags
	c := ofBundle(&cobra.Command{
		Use:     "graph BUNDLE...",
		Short:   "Print the objects around a pod or a PersistentVolumeClaim",
		Long:    graphLong,
		Example: graphExample,
	}, func(ctx context.Context, bundle []string) error { return a.graph(ctx, bundle, flags) })
	c.Flags().StringVar(&flags.pod, "pod", "", "`NAMESPACE/NAME` of a pod")
	c.Flags().StringVar(&flags.claim, "pvc", "", "`NAMESPACE/NAME` of a PersistentVolumeClaim")
	c.Flags().StringVarP(&flags.format, "output", "o", "text", "`FORMAT`: text for a tree, dot for Graphviz, or svg for a picture")
	flags.redact.define(c.Flags())
	flags.define(c.Flags())
	a.complete(c)
	return c
}

func (a app) graph(ctx context.Context, bundle []string, flags graphFlags) error {
	of, err := flags.object()
	if err := cmp.Or(checkFormat("graph", flags.format, report.GraphFormats()), err, flags.redact.check(a, nil, bundle)); err != nil {
		return err
	}
	var chain *model.Chain
	err = a.read(ctx, bundle, flags.bundleFlags, func(ctx context.Context, s *model.Snapshot) (err error) {
		if chain, err = analyze.Chain(ctx, s, of); err != nil {
			return failf("%v", err).hinted("without --pod and --pvc all that it has is printed")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return answer(ctx, a, flags.limits, flags.redact, chain, flags.format, false, report.WriteGraph)
}

// object is the pod or claim that is requested; without a name when it is all.
func (f graphFlags) object() (model.Ref, error) {
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
