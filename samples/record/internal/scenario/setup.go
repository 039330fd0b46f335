package scenario

import (
	"context"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// setup waits for the nodes, installs the driver, and starts the workloads that nothing will happen to.
func (s *Stage) setup() {
	for _, n := range s.Nodes {
		s.need(n.Name+" is Ready", 5*time.Minute, func() bool { return s.nodeReady(n.Name) })
		if n.Master {
			_, err := s.Kubectl("label", "node", n.Name, "node-role.kubernetes.io/control-plane=")
			s.must(err)
		}
	}
	for _, ns := range []string{shop, office} {
		s.must(s.Apply(fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n", ns)))
	}
	s.need("the controllers work", 4*time.Minute, func() bool {
		_, err := s.Admin.CoreV1().ServiceAccounts(office).Get(context.Background(), "default", metav1.GetOptions{})
		return err == nil
	})
	s.must(s.InstallDriver())
	s.needReady("gce-pd-csi-driver", "gce-pd-csi-driver", len(s.Nodes)+1)
	s.create(workload{namespace: office, name: "reports", claims: 1,
		selector: `kubernetes.io/hostname: master-0, node-role.kubernetes.io/control-plane: ""`})
	s.create(workload{namespace: office, name: "frontend", replicas: 2})
	s.Truth.Innocent = []string{office + "/Deployment/reports", office + "/Deployment/frontend"}
	s.needReady(office, "reports", 1)
}

func (s *Stage) nodeReady(name string) bool {
	n, err := s.Watch.Core().V1().Nodes().Lister().Get(name)
	if err != nil {
		return false
	}
	for _, c := range n.Status.Conditions {
		if c.Type == v1.NodeReady {
			return c.Status == v1.ConditionTrue
		}
	}
	return false
}
