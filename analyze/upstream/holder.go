package upstream

import (
	"fmt"
	"strconv"
	"strings"
)

// scaleSet is an instance of an Azure scale set. Its number ends the name in decimal; the Node's has it in base 36, six digits.
var scaleSet = re(`^(.+vmss)_(\d+)$`)

// sameMachine reports that a machine that a back end names may be the one of a node: of the same name, with or without a domain.
func sameMachine(holder, node string) bool {
	if m := scaleSet().FindStringSubmatch(holder); m != nil {
		if n, err := strconv.ParseInt(m[2], 10, 64); err == nil {
			holder = fmt.Sprintf("%s%06s", m[1], strconv.FormatInt(n, 36))
		}
	}
	short := func(s string) string { name, _, _ := strings.Cut(s, "."); return name }
	return holder == node || short(holder) == short(node)
}
