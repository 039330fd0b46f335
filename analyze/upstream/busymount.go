package upstream

import "regexp"

// busy is what umount says of a mount that a process, or another mount, holds (util-linux; umount.nfs says device).
var busy = regexp.MustCompile(`umount(?:\.[a-z0-9.]+)?: (/\S+): (target is busy|device is busy)`)

// BusyMount reads the path and umount's words out of a failed unmount; false when it failed for another reason.
func BusyMount(text string) (path, words string, ok bool) {
	m := busy.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}
