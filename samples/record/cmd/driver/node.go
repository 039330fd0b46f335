package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/grpc"
	"k8s.io/klog/v2"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
	"sigs.k8s.io/gcp-compute-persistent-disk-csi-driver/pkg/constants"
	"sigs.k8s.io/gcp-compute-persistent-disk-csi-driver/pkg/deviceutils"
)

// instance is what the metadata server would say about a node.
type instance struct{ name, zone string }

func (i instance) GetZone() string      { return i.zone }
func (instance) GetProject() string     { return project }
func (i instance) GetName() string      { return i.name }
func (instance) GetMachineType() string { return "n2-standard-4" }
func (instance) GetValue(context.Context, string) (string, error) {
	return "", errors.New("no such metadata")
}

// devices are the driver's, without the question for a SCSI serial number, which a loop device has not.
type devices struct{ deviceutils.DeviceUtils }

// VerifyDevicePath waits for a device to appear, as udev would make it.
func (devices) VerifyDevicePath(paths []string, disk string) (string, error) {
	for range 20 {
		for _, p := range paths {
			if _, err := filepath.EvalSymlinks(p); err == nil {
				return p, nil
			}
		}
		time.Sleep(500 * time.Millisecond)
	}
	return "", fmt.Errorf("timed out waiting for the condition: device of disk %s not found in %v", disk, paths)
}

// registrar answers the kubelet's plugin watcher, in the place of node-driver-registrar.
type registrar struct {
	registration.UnimplementedRegistrationServer
	socket string
}

// GetInfo implements the kubelet's registration API.
func (r registrar) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{Type: registration.CSIPlugin, Name: constants.DriverName, Endpoint: r.socket,
		SupportedVersions: []string{"1.0.0"}}, nil
}

// NotifyRegistrationStatus implements the kubelet's registration API. After a refusal the container ends, so that it starts again.
func (registrar) NotifyRegistrationStatus(_ context.Context, s *registration.RegistrationStatus,
) (*registration.RegistrationStatusResponse, error) {
	klog.Infof("registered with the kubelet: %v", s)
	if !s.PluginRegistered {
		klog.Fatal(s.Error)
	}
	return new(registration.RegistrationStatusResponse), nil
}

func serveRegistration(dir, socket string) {
	path := filepath.Join(dir, constants.DriverName+"-reg.sock")
	os.Remove(path)
	l, err := net.Listen("unix", path)
	if err != nil {
		klog.Fatal(err)
	}
	s := grpc.NewServer()
	registration.RegisterRegistrationServer(s, registrar{socket: socket})
	klog.Fatal(s.Serve(l))
}
