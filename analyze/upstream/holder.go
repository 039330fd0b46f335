package upstream

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// holderShapes find the machine that a refused attach names as the holder: group 1 is the back end's name, which need not be a Node's.
var holderShapes = []*regexp.Regexp{
	re(`already attached to node\(?[^)\s]*/virtualMachines?/([A-Za-z0-9._-]+)\)`),
	re(`already being used by '[^']*/instances/([A-Za-z0-9._-]+)(?:'|$)`),
	re(`(?i)(?:already|currently|still) (?:attached|published|mounted|mapped) (?:to|at|on) (?:the |another |a |different )*` +
		`(?:node|instance|server|vm|host|machine|droplet|linode)[ :(]+["']?([A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9])`),
	re(`\bis attached to (?:another |a different )(?:node|instance|server|vm|host|machine)[ :(]+["']?([A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9])`),
	re(`still mounted on (?:node )?["']?([A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9])`),
	re(`published at another node(?: with id)?[ :(]+["']?([A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9])`),
}

// fillers are words that follow where no name does.
var fillers = strings.Fields("and with please but so which that cannot could can or not other first than")

// HolderNamed is the machine that the text of a refused attach names as the one that has the volume; empty when it names none.
func HolderNamed(text string) string {
	for _, s := range holderShapes {
		if m := s.FindStringSubmatch(text); m != nil && !slices.Contains(fillers, m[1]) {
			return m[1]
		}
	}
	return ""
}

// scaleSet is an instance of an Azure scale set. Its number ends the name in decimal; the Node's has it in base 36, six digits.
var scaleSet = re(`^(.+vmss)_(\d+)$`)

// sameMachine reports that a machine that a back end names may be the one of a node: of the same name, with or without a domain.
func sameMachine(holder, node string) bool {
	if m := scaleSet.FindStringSubmatch(holder); m != nil {
		if n, err := strconv.ParseInt(m[2], 10, 64); err == nil {
			holder = fmt.Sprintf("%s%06s", m[1], strconv.FormatInt(n, 36))
		}
	}
	short := func(s string) string { name, _, _ := strings.Cut(s, "."); return name }
	return holder == node || short(holder) == short(node)
}
