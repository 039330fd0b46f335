package cloud

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/volpost/volpost/model/words"
)

// plainTree is the tree of what a command line prints beside JSON and YAML: boxes of aws and openstack, openstack's key="value" and the list
// that -f value prints, the tables of gcloud and az, and the one value for which the command above it asks. Nil of anything else.
func plainTree(text []byte) *yaml.Node {
	rows := strings.Split(strings.TrimRight(string(text), "\r\n "), "\n")
	for i := range rows {
		rows[i] = strings.TrimSpace(rows[i])
	}
	for _, read := range []func([]string) *yaml.Node{ofCommand, box, shell, values, machineTable} {
		if root := read(rows); root != nil {
			return root
		}
	}
	return nil
}

func scalar(line int, text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Line: line, Column: 1}
}

// put adds a member. openstack prints lists as Python does.
func put(m *yaml.Node, line int, key string, text string) {
	value := scalar(line, text)
	if strings.HasPrefix(text, "[{") || strings.HasPrefix(text, "id='") {
		if list := tree(python.Replace(ids.ReplaceAllString(text, "{'id': '$1'},"))); strings.HasPrefix(text, "[") && list != nil {
			value = list
		} else if all := ids.FindAllStringSubmatch(text, -1); all != nil {
			value = &yaml.Node{Kind: yaml.SequenceNode}
			for _, id := range all {
				value.Content = append(value.Content, mapped(line, "id", id[1]))
			}
		}
		onLine(value, line)
	}
	m.Content = append(m.Content, scalar(line, key), value)
}

var (
	python = strings.NewReplacer(`'`, `"`, "None", "null", "True", "true", "False", "false")
	ids    = regexp.MustCompile(`\bid='([0-9a-f-]{36})'`)
)

func onLine(n *yaml.Node, line int) {
	n.Line, n.Column = line, 1
	for _, c := range n.Content {
		onLine(c, line)
	}
}

// mapped is an object of some members, by turns key and value.
func mapped(line int, members ...string) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Line: line}
	for pair := range slices.Chunk(members, 2) {
		put(m, line, pair[0], pair[1])
	}
	return m
}

// boxed are fields of which a box of machines or disks has one.
var boxed = regexp.MustCompile(`\| *(?:InstanceId|VolumeId|OS-EXT-STS:vm_state|attachments|volumes_attached) *\|`)

// box reads a frame: a row with one cell is the title of a part, one with two a member; of more the first has the names.
func box(rows []string) *yaml.Node {
	if !boxed.MatchString(strings.Join(rows, "\n")) {
		return nil
	}
	root := mapped(1)
	parts, head := []*yaml.Node{root, root}, []string(nil)
	for n, row := range rows {
		depth := len(row) - len(strings.TrimLeft(row, "|"))
		inner := strings.Trim(row, "|")
		if depth == 0 || depth > maxDepth || strings.HasPrefix(inner, "+") || strings.HasPrefix(inner, "-") {
			continue
		}
		cells := strings.Split(inner, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		part := parts[min(depth, len(parts)-1)]
		switch {
		case len(cells) == 1 && depth > 1:
			child := mapped(n + 1)
			above := parts[min(depth, len(parts))-1]
			addPart(above, n+1, cells[0], child)
			parts, head = append(parts[:min(depth, len(parts))], child), nil
		case len(cells) == 1:
			parts, head = parts[:2], nil
		case len(cells) == 2 && cells[0] == "" && len(part.Content) > 0:
			last := part.Content[len(part.Content)-2:]
			text := last[1].Value + cells[1]
			part.Content = part.Content[:len(part.Content)-2]
			put(part, n+1, last[0].Value, text)
		case len(cells) == 2:
			put(part, n+1, cells[0], cells[1])
		case head == nil:
			head = cells
		case len(cells) == len(head):
			item := mapped(n + 1)
			for i, name := range head {
				put(item, n+1, name, cells[i])
			}
			addPart(part, n+1, "Instances", item) // any list that is looked into
		}
	}
	return root
}

// addPart adds a part below its title: to a list, where the title is that of one.
func addPart(above *yaml.Node, line int, title string, child *yaml.Node) {
	if !strings.HasSuffix(title, "s") || strings.HasSuffix(title, "Status") {
		above.Content = append(above.Content, scalar(line, title), child)
		return
	}
	if list := (object{above, above, ""}).at(title); list.node != nil {
		list.node.Content = append(list.node.Content, child)
		return
	}
	above.Content = append(above.Content, scalar(line, title), &yaml.Node{Kind: yaml.SequenceNode, Line: line, Content: []*yaml.Node{child}})
}

var shellPair = regexp.MustCompile(`^([a-z][a-z0-9_]*)="(.*)"$`)

// shell reads openstack -f shell, whose keys are those of its box in small letters.
func shell(rows []string) *yaml.Node {
	root := mapped(1)
	for n, row := range rows {
		pair := shellPair.FindStringSubmatch(row)
		if pair == nil {
			return nil
		}
		key := strings.NewReplacer("os_ext_sts_", "OS-EXT-STS:").Replace(pair[1])
		put(root, n+1, key, pair[2])
	}
	return root
}

// values reads openstack volume show -f value with the columns attachments and status, which it prints in this order.
func values(rows []string) *yaml.Node {
	if len(rows) != 2 || !strings.HasPrefix(rows[0], "[{'") || !strings.Contains(rows[0], "'attachment_id'") {
		return nil
	}
	root := mapped(1, "attachments", rows[0])
	put(root, 2, "status", rows[1])
	return root
}

var (
	gap = regexp.MustCompile(`  +`)
	// gcloudTable and azTable are the headers of gcloud compute instances list and az vm list --show-details.
	gcloudTable = regexp.MustCompile(`^NAME +ZONE +MACHINE_TYPE .*STATUS$`)
	azTable     = regexp.MustCompile(`^Name +ResourceGroup +PowerState\b`)
)

// machineTable reads those: the state is the last column of gcloud's, and the third of az'.
func machineTable(rows []string) *yaml.Node {
	root := &yaml.Node{Kind: yaml.SequenceNode}
	for n, row := range rows[1:] {
		cells := gap.Split(row, -1)
		switch {
		case gcloudTable.MatchString(rows[0]) && len(cells) > 3:
			root.Content = append(root.Content, mapped(n+2, "kind", "compute#instance", "name", cells[0], "status", cells[len(cells)-1]))
		case azTable.MatchString(rows[0]) && len(cells) > 2:
			root.Content = append(root.Content, mapped(n+2, "name", cells[0], "powerState", cells[2]))
		}
	}
	if root.Content == nil {
		return nil
	}
	return root
}

// answered are the commands that print one machine's state and nothing else, and what of: m is the machine that they name.
var answered = []struct {
	call *regexp.Regexp
	of   func(line int, m, state string) *yaml.Node
}{
	{regexp.MustCompile(`aws ec2 describe-instances\b.* --instance-ids[ =](?P<m>i-[0-9a-f]{8,17}) .*--query.*\bState\.Name\b`),
		func(line int, m, state string) *yaml.Node {
			root := mapped(line, "InstanceId", m)
			root.Content = append(root.Content, scalar(line, "State"), mapped(line, "Code", "", "Name", state))
			return root
		}},
	{regexp.MustCompile(`gcloud compute instances describe (?P<m>[a-z][a-z0-9-]*) .*--format[ =]['"]?value\(status\)`),
		func(line int, m, state string) *yaml.Node {
			return mapped(line, "kind", "compute#instance", "name", m, "status", state)
		}},
	{regexp.MustCompile(`az vm (?:get-instance-view|show) .*(?:-n|--name)[ =](?P<m>[\w.-]+) .*--query`),
		func(line int, m, state string) *yaml.Node { return mapped(line, "name", m, "powerState", state) }},
	{regexp.MustCompile(`openstack (?:--\S+ \S+ )*server show (?P<m>[\w.-]+) .*-c status\b`),
		func(line int, m, state string) *yaml.Node {
			return mapped(line, words.If(uuid.MatchString(m), "id")+words.If(!uuid.MatchString(m), "name"), m, "status", state, "OS-EXT-STS:vm_state", "")
		}},
}

// ofCommand reads the value below such a command, alone or as the only item of a list.
func ofCommand(rows []string) *yaml.Node {
	for _, a := range answered {
		m := a.call.FindStringSubmatch(rows[0] + " ")
		for n, row := range rows[1:] {
			if state := strings.Trim(row, `[]", `); m != nil && state != "" {
				return a.of(n+2, m[1], state)
			}
		}
	}
	return nil
}
