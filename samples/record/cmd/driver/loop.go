package main

import (
	"os"
	"os/exec"
	"strings"

	"k8s.io/klog/v2"
)

const byID = "/dev/disk/by-id/"

// attachLoop gives a disk's file a block device.
func attachLoop(image string) (string, error) {
	out, err := exec.Command("losetup", "-f", "--show", image).Output()
	return strings.TrimSpace(string(out)), err
}

// link makes the name under which the driver looks for a disk. All nodes share /dev, so it is the last attachment's.
func link(dev, disk string) error {
	if err := os.MkdirAll(byID, 0o755); err != nil {
		return err
	}
	os.Remove(byID + "google-" + disk)
	return os.Symlink(dev, byID+"google-"+disk)
}

// detachLoop removes the device, which lives on until its last user is gone: a lost machine goes on writing.
func detachLoop(dev, disk string) {
	if dev == "" {
		return
	}
	if t, _ := os.Readlink(byID + "google-" + disk); t == dev {
		os.Remove(byID + "google-" + disk)
	}
	if err := tool("losetup", "-d", dev); err != nil {
		klog.Warning(err)
	}
}
