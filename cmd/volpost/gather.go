package main

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"
)

// gatherScript is what volpost gather prints.
//
//go:embed gather.sh
var gatherScript string

const gatherLong = `Prints a POSIX shell script that collects from a cluster what volpost reads, with kubectl or oc:

  objects    nodes, PersistentVolumes, PersistentVolumeClaims, VolumeAttachments, CSI objects, pods and their owners,
             Leases, Namespaces, with their managed fields
  events     of both APIs
  logs       of kube-controller-manager, kube-scheduler and the CSI drivers' attachers, current and previous
  metrics    only with -p: the series of kube-state-metrics from a Prometheus, every 15 s of the last hours, through the
             API server's service proxy, which needs "get" on services/proxy. The proxy passes no token, which
             OpenShift's own Prometheus wants: there, use oc adm must-gather -- /usr/bin/gather_metrics
  timestamp  when it collected

The script only reads (get and logs), asks for no Secrets and no ConfigMaps, and touches no node. Pod specifications
include the environment variables that are written in them. The script needs no cluster-admin: what the account may not
read is named, on standard error and in not-collected.txt, and the rest is collected. It never writes into an existing
directory.

The directory that it creates is a bundle for volpost analyze.`

const gatherExample = `  volpost gather > gather.sh
  sh gather.sh ./incident                    all namespaces
  sh gather.sh ./incident shop backoffice    two namespaces, and the controllers
  sh gather.sh -k oc -c prod ./incident      with oc, and another context of the kubeconfig
  sh gather.sh -p monitoring/prometheus-operated:9090 -b 6 ./incident    with six hours of metrics
  volpost analyze ./incident`

func (a app) gatherCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "gather",
		Short:   "Print a script that collects what volpost needs, with kubectl or oc",
		Long:    gatherLong,
		Example: gatherExample,
		Args:    exactly(),
		RunE: working(func(*cobra.Command, []string) error {
			_, err := io.WriteString(a.stdout, gatherScript)
			return err
		}),
	}
}
