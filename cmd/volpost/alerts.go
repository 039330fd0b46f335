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
}

func (a app) alertsCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:               "alerts [BUNDLE...]",
		Short:             "Print alerting rules for volumes that cannot move",
		Long:              alertsLong,
		Example:           alertsExample,
		ValidArgsFunction: completeBundle,
	}, a.alerts, func(c *cobra.Command, f *flags) {
		c.Flags().BoolVar(&f.openShift, "openshift", false, "print an AlertingRule of OpenShift's own monitoring")
		c.Flags().BoolVar(&f.honorLabels, "honor-labels", true, "kube-state-metrics is scraped with honor_labels: true, as its charts do")
		c.Flags().StringVar(&f.clusterLabel, "cluster-label", "", "one store holds several clusters, told apart by the label `NAME`")
		c.Flags().StringArrayVar(&f.labels, "label", nil,
			"`NAME=VALUE`: a label of the object, such as that of a ruleSelector; may be given again")
		c.Flags().BoolVar(&f.plain, "plain", false, "print a rule file of Prometheus, not an object")
		f.limits.define(c.Flags())
	})
}

func (a app) alerts(ctx context.Context, bundle []string, f *flags) error {
	var setup analyze.AlertSetup
	if len(bundle) > 0 {
		if err := a.read(ctx, bundle, f, func(_ context.Context, s *model.Snapshot) error {
			setup = analyze.DetectAlertSetup(s)
			return nil
		}); err != nil {
			return err
		}
	}
	if err := f.override(&setup, f.given); err != nil {
		return err
	}
	_, err := io.WriteString(a.stdout, analyze.AlertRules(setup, f.plain))
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
