package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

const alertsLong = `Prints the alerting rules that would have seen a volume which cannot move, as a
PrometheusRule. Comments say which popular rules they replace, and why.

The labels of kube-state-metrics differ between its versions and with the way it is
scraped. Flags name the set-up; with BUNDLE it is that of the cluster which the bundle was
collected from, as far as its objects tell, and flags win.`

const alertsExample = `  volpost alerts > prometheusrule.yaml
  volpost alerts ./must-gather
  volpost alerts --ksm-version 2.13 --openshift
  volpost alerts --plain > volpost-rules.yaml
  volpost alerts --tests > tests.yaml      promtool test rules tests.yaml`

// alertsFlags are the flags of alerts as they were given.
type alertsFlags struct {
	version                              string
	openShift, honorLabels, multiCluster bool
	plain, tests                         bool
	limits                               ingest.Limits
}

func (a app) alertsCommand() *cobra.Command {
	var flags alertsFlags
	c := &cobra.Command{
		Use:               "alerts [BUNDLE...]",
		Short:             "Print alerting rules for volumes that cannot move",
		Long:              alertsLong,
		Example:           alertsExample,
		ValidArgsFunction: completeBundle,
		RunE: working(func(c *cobra.Command, args []string) error {
			return a.alerts(c.Context(), args, flags, c.Flags())
		}),
	}
	c.Flags().StringVar(&flags.version, "ksm-version", "", "`VERSION` of kube-state-metrics, such as 2.13; 1.9 is the first that is of use")
	c.Flags().BoolVar(&flags.openShift, "openshift", false, "metrics are collected by OpenShift's own monitoring")
	c.Flags().BoolVar(&flags.honorLabels, "honor-labels", true, "kube-state-metrics is scraped with honor_labels: true, as its charts do")
	c.Flags().BoolVar(&flags.multiCluster, "multi-cluster", false, "one store holds several clusters, told apart by the label cluster")
	c.Flags().BoolVar(&flags.plain, "plain", false, "print a rule file of Prometheus, not an object")
	c.Flags().BoolVar(&flags.tests, "tests", false, "print a test of that rule file, called volpost-rules.yaml, for promtool test rules")
	limitFlags(c.Flags(), &flags.limits)
	return c
}

func (a app) alerts(ctx context.Context, bundle []string, flags alertsFlags, given *pflag.FlagSet) error {
	if flags.plain && flags.tests {
		return usagef("--plain and --tests are two files").hinted("run it twice")
	}
	setup := analyze.DefaultAlertSetup()
	if len(bundle) > 0 {
		if err := a.read(ctx, bundle, flags.limits, saidFlags{}, func(s *model.Snapshot) { setup = analyze.DetectAlertSetup(s) }); err != nil {
			return err
		}
	}
	if given.Changed("openshift") {
		setup.OpenShift = flags.openShift
	}
	setup.TargetLabels, setup.MultiCluster = !flags.honorLabels, flags.multiCluster
	if flags.version != "" {
		if err := setup.SetRelease(flags.version); err != nil {
			return usagef("--ksm-version: %v", err).hinted("--ksm-version 2.13")
		}
	}
	if given.Changed("openshift") || given.Changed("honor-labels") || flags.version != "" {
		setup.Because = nil // flags say otherwise
	}
	form := analyze.AlertObject
	switch {
	case flags.plain:
		form = analyze.AlertRuleFile
	case flags.tests:
		form = analyze.AlertTestFile
	}
	_, err := io.WriteString(a.stdout, analyze.AlertRules(setup, form))
	return err
}
