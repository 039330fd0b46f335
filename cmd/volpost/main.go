// Command volpost explains Kubernetes "Multi-Attach" incidents offline, from what was collected: must-gathers, kubectl
// dumps, controller logs.
//
// The package turns flags into three calls, ingest.Read, analyze.Run and report.Write, and their results into exit
// codes. It computes nothing about a cluster.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
