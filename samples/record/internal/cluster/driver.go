package cluster

import (
	_ "embed"
	"strings"

	"github.com/volpost/volpost/samples/record/internal/components"
)

//go:embed driver.yaml
var driverManifest string

// DriverName is the CSI driver's name.
const DriverName = "pd.csi.storage.gke.io"

// InstallDriver deploys the CSI driver and starts the played provisioner.
func (c *Cluster) InstallDriver() error {
	if err := c.Apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: " + driverNamespace + "}\n"); err != nil {
		return err
	}
	r := strings.NewReplacer("@DIR@", c.Dir, "@API@", gateway, "@ATTACHER@", components.AttacherVersion, "@DRIVER@", components.DriverVersion)
	if err := c.Apply(r.Replace(driverManifest)); err != nil {
		return err
	}
	go c.provision()
	return nil
}
