// Driver is the GCE Persistent Disk CSI driver as published, on a played cloud (cloud.go): a disk is a file, an attachment a loop device.
// Also replaced are the metadata server, the check of a SCSI serial number, and node-driver-registrar.
package main

import (
	"flag"
	"os"
	"strings"
	"time"

	"k8s.io/klog/v2"
	"sigs.k8s.io/gcp-compute-persistent-disk-csi-driver/pkg/constants"
	"sigs.k8s.io/gcp-compute-persistent-disk-csi-driver/pkg/deviceutils"
	driver "sigs.k8s.io/gcp-compute-persistent-disk-csi-driver/pkg/gce-pd-csi-driver"
	mountmanager "sigs.k8s.io/gcp-compute-persistent-disk-csi-driver/pkg/mount-manager"

	"github.com/volpost/volpost/samples/record/internal/components"
)

const project = "lab-project"

var (
	mode     = flag.String("mode", "controller", "controller or node")
	endpoint = flag.String("endpoint", "unix:/csi/csi.sock", "where to serve CSI")
	node     = flag.String("node", "", "name of this instance")
	zones    = flag.String("zones", "/cloud/instances", "file with a line for each instance: name and zone")
	cloudDir = flag.String("cloud", "/cloud", "directory of the disks")
	register = flag.String("registration", "", "directory for the kubelet's registration socket")
	socket   = flag.String("kubelet-socket", "", "path of the CSI socket as the kubelet sees it")
)

func main() {
	klog.InitFlags(nil)
	flag.Parse()
	klog.Infof("Driver vendor version %v", components.DriverVersion)
	d := driver.GetGCEDriver()
	var cs *driver.GCEControllerServer
	var ns *driver.GCENodeServer
	if *mode == "node" {
		ns = nodeServer(d)
	} else {
		cs = controllerServer(d)
	}
	if err := d.SetupGCEDriver(constants.DriverName, components.DriverVersion, nil, nil, driver.NewIdentityServer(d), cs, ns); err != nil {
		klog.Fatal(err)
	}
	if *register != "" {
		go serveRegistration(*register, *socket)
	}
	d.Run(*endpoint, 10000, false, nil)
}

func controllerServer(d *driver.GCEDriver) *driver.GCEControllerServer {
	c, err := newCloud(*cloudDir, instances(*zones))
	if err != nil {
		klog.Fatal(err)
	}
	return driver.NewControllerServer(d, c, 200*time.Millisecond, 5*time.Minute, nil, false, false, driver.MultiZoneVolumeHandleConfig{},
		driver.ListVolumesConfig{}, driver.ProvisionableDisksConfig{}, false, &driver.GCEControllerServerArgs{})
}

func nodeServer(d *driver.GCEDriver) *driver.GCENodeServer {
	m, err := mountmanager.NewSafeMounter(1, time.Minute)
	if err != nil {
		klog.Fatal(err)
	}
	me := instance{name: *node, zone: instances(*zones)[*node]}
	ns := driver.NewNodeServer(d, m, devices{deviceutils.NewDeviceUtils()}, me, mountmanager.NewStatter(m),
		&driver.NodeServerArgs{EnableDeviceInUseCheck: true, DeviceInUseTimeout: 30 * time.Second, SysfsPath: "/sys", NodeName: *node})
	return ns.WithSerializedFormatAndMount(time.Minute, 1)
}

// instances reads the inventory: the zone of each instance.
func instances(file string) map[string]string {
	b, err := os.ReadFile(file)
	if err != nil {
		klog.Fatal(err)
	}
	m := map[string]string{}
	for l := range strings.Lines(string(b)) {
		if name, zone, ok := strings.Cut(strings.TrimSpace(l), " "); ok {
			m[name] = zone
		}
	}
	return m
}
