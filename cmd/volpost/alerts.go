package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
)

const alertsLong = `Prints alerting rules for volumes that cannot move, as a PrometheusRule. Comments say which
popular rules they replace, and why.

The rules work with kube-state-metrics 1.9 and later, in one cluster or several. Flags say
how it is scraped. With BUNDLE the metrics of the bundle say it, unless a flag does.`

const alertsExample = `  volpost alerts > prometheusrule.yaml
  volpost alerts ./must-gather
  volpost alerts --openshift | oc apply -f -
  volpost alerts --label release=kube-prometheus-stack
  volpost alerts --plain > volpost-rules.yaml`

type alertsFlags struct {
	openShift, honorLabels bool
	clusterLabel           string
	labels                 []string
	plain                  bool
	limits                 limits
}

func (a app) alertsCommand() *cobra.Command {
	var flags alertsFlags
	c := &cobra.Command{
		Use:               "alerts [BUNDLE...]",
		Short:             "Print alerting rules for volumes that cannot move",
		Long:              alertsLong,
		Example:           alertsExample,
		ValidArgsFunction: completeBundle,
		RunE:              working(func(c *cobra.Command, args []string) error { return a.alerts(c.Context(), args, flags, c.Flags()) }),
	}
	c.Flags().BoolVar(&flags.openShift, "openshift", false, "print an AlertingRule of OpenShift's own monitoring")
	c.Flags().BoolVar(&flags.honorLabels, "honor-labels", true, "kube-state-metrics is scraped with honor_labels: true, as its charts do")
	c.Flags().StringVar(&flags.clusterLabel, "cluster-label", "", "one store holds several clusters, told apart by the label `NAME`")
	c.Flags().StringArrayVar(&flags.labels, "label", nil,
		"`NAME=VALUE`: a label of the object, such as that of a ruleSelector; may be given again")
	c.Flags().BoolVar(&flags.plain, "plain", false, "print a rule file of Prometheus, not an object")
	flags.limits.define(c.Flags())
	return c
}

func (a app) alerts(ctx context.Context, bundle []string, flags alertsFlags, given *pflag.FlagSet) error {
	var setup analyze.AlertSetup
	if len(bundle) > 0 {
		if err := a.read(ctx, bundle, bundleFlags{limits: flags.limits}, func(_ context.Context, s *model.Snapshot) error {
			setup = analyze.DetectAlertSetup(s)
			return nil
		}); err != nil {
			return err
		}
	}
	if err := flags.override(&setup, given); err != nil {
		return err
	}
	_, err := io.WriteString(a.stdout, analyze.AlertRules(setup, flags.plain))
	return err
}

// override puts the flags before what the bundle shows.
func (f alertsFlags) override(setup *analyze.AlertSetup, given *pflag.FlagSet) error {
	if given.Changed("openshift") {
		setup.OpenShift = f.openShift
	}
	if given.Changed("honor-labels") {
		setup.TargetLabels = !f.honorLabels
	}
	if f.clusterLabel != "" {
		if err := setup.SetClusterLabel(f.clusterLabel); err != nil {
			return usagef("--cluster-label: %v", err).hinted("--cluster-label cluster")
		}
	}
	if given.Changed("openshift") || given.Changed("honor-labels") || f.clusterLabel != "" {
		setup.Because = nil
	}
	for _, text := range f.labels {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return usagef("--label: %q is not a label", text).hinted("--label release=NAME")
		}
		setup.Labels = append(setup.Labels, model.Label{Name: name, Value: value})
	}
	return nil
}
