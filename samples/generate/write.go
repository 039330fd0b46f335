package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// listHead is how kubectl begins a List.
const listHead = "---\napiVersion: v1\nitems:\n"

type writer struct {
	root string
	made map[string]bool
}

func (w *writer) create(path string) (*os.File, error) {
	path = filepath.Join(w.root, filepath.FromSlash(path))
	if dir := filepath.Dir(path); !w.made[dir] {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		w.made[dir] = true
	}
	return os.Create(path)
}

func (w *writer) file(path string, body []byte) error {
	f, err := w.create(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(body); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func (w *writer) stream(path string, write func(*bufio.Writer) error) error {
	f, err := w.create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	err = write(out)
	if err == nil {
		err = out.Flush()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

func (p *plan) write(dir string) error {
	top := &writer{root: filepath.Join(dir, "bundle"), made: map[string]bool{}}
	w := &writer{root: filepath.Join(top.root, p.base.rec.root), made: map[string]bool{}}
	for _, c := range append([]*cell{p.base}, p.cells...) {
		for _, f := range c.files {
			if err := w.file(c.as.render(f.path), c.as.append(nil, f.body)); err != nil {
				return err
			}
		}
	}
	if err := top.file("timestamp", []byte(capture.Format("2006-01-02 15:04:05.000000000 -0700 MST")+"\n")); err != nil {
		return err
	}
	for _, step := range []func(*writer) error{p.writeShared, p.writeNodes, p.writeTeams, p.writeLogs} {
		if err := step(w); err != nil {
			return err
		}
	}
	return (&writer{root: dir, made: map[string]bool{}}).stream("truth.json", p.writeTruth)
}

// writeShared writes the lists that all copies have items in.
func (p *plan) writeShared(w *writer) error {
	for list := range sharedLists {
		err := w.stream(sharedPath[list], func(out *bufio.Writer) error {
			out.WriteString(strings.Replace(listHead, "v1", version(p.base.rec.files[sharedPath[list]]), 1))
			for _, c := range append([]*cell{p.base}, p.cells...) {
				for _, item := range c.shared[list] {
					out.Write(c.as.append(nil, item))
				}
			}
			for n := range p.fill.nodes {
				if item := p.fill.node.item(list); item != nil {
					as := p.fill.nodeCopy(p.seed, n)
					out.Write(as.append(nil, item))
				}
			}
			_, err := out.WriteString(tail(p.base.rec.files[sharedPath[list]]))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func version(list string) string {
	_, rest, _ := strings.Cut(list, "apiVersion: ")
	v, _, _ := strings.Cut(rest, "\n")
	return v
}

// item is what a node has in a shared list.
func (s *nodeStencil) item(list int) text {
	switch list {
	case nodeLeases:
		return s.lease
	case driverPods:
		return s.pod
	}
	return nil
}

// nodeCopy is the n-th node of the fill under its names.
func (f *fill) nodeCopy(seed uint64, n int) copied {
	id := identity{seed: seed, id: uint64(nodeIDs + n), nodes: []int{f.firstNode + n}, namespace: func(n string) string { return n },
		address: f.firstAddress + 1<<20 + n*2}
	return copied{
		names: f.node.names(id),
		shift: capture.Add(-span + time.Minute).Sub(f.node.created),
		fresh: capture.Sub(f.node.rec.truth.SnapshotAt.Truncate(time.Second)),
	}
}

// writeNodes writes the nodes of the fill, with the volumes that are attached to each.
func (p *plan) writeNodes(w *writer) error {
	f := p.fill
	var body, attached, used []byte
	for n := range f.nodes {
		as := f.nodeCopy(p.seed, n)
		attached, used = attached[:0], used[:0]
		for ordinal := n; ordinal < f.volumes; ordinal += f.nodes {
			_, low := hash(p.seed, uint64(unitIDs+f.place(ordinal)), f.stateful.handle)
			attached = fmt.Appendf(attached, "  - devicePath: \"\"\n    name: kubernetes.io/csi/%s^vol-0%016x\n", driver, low)
			used = fmt.Appendf(used, "  - kubernetes.io/csi/%s^vol-0%016x\n", driver, low)
		}
		body = as.append(body[:0], f.node.node)
		if len(attached) > 0 {
			body = append(append(body, "  volumesAttached:\n"...), attached...)
			body = append(append(body, "  volumesInUse:\n"...), used...)
		}
		name := nodeName(f.firstNode + n)
		if err := w.file(nodeFolder+name+".yaml", body); err != nil {
			return err
		}
		if err := w.file(csiNodeFolder+name+".yaml", as.append(nil, f.node.csi)); err != nil {
			return err
		}
	}
	return nil
}

// writeTeams writes the namespaces of the fill with their volumes and attachments.
func (p *plan) writeTeams(w *writer) error {
	all, _ := p.fill.units()
	for from := 0; from < all; from += unitsPerNamespace {
		if err := p.writeTeam(w, from, min(all, from+unitsPerNamespace)); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) writeTeam(w *writer, from, to int) error {
	f := p.fill
	name := teamName(from / unitsPerNamespace)
	folder := "namespaces/" + name + "/"
	bodies := map[string][]byte{}
	for x := from; x < to; x++ {
		u, _ := f.at(x)
		as := f.copyOf(p.seed, x)
		for _, list := range ownLists {
			for _, item := range u.lists[list] {
				bodies[list] = as.append(bodies[list], item)
			}
		}
		if u.volume == nil {
			continue
		}
		for dir, doc := range map[string]text{volumeFolder: u.volume, attachmentFolder: u.attachment} {
			body := as.append(nil, doc)
			if err := w.file(dir+field(string(body), "name")+".yaml", body); err != nil {
				return err
			}
		}
	}
	as := copied{shift: f.starts(from).Add(-time.Minute).Sub(f.stateful.created),
		names: f.namespace.names(identity{seed: p.seed, id: uint64(3*unitIDs + from), namespace: func(string) string { return name }})}
	if err := w.file(folder+name+".yaml", as.append(nil, f.namespaceDoc)); err != nil {
		return err
	}
	for below, body := range f.empty {
		if err := w.file(folder+below, []byte(body)); err != nil {
			return err
		}
	}
	for _, list := range ownLists {
		head := strings.Replace(listHead, "v1", version(f.stateful.rec.files["namespaces/backoffice/"+list]), 1)
		if len(bodies[list]) == 0 {
			head = strings.Replace(head, "items:\n", "items: []\n", 1)
		}
		if err := w.file(folder+list, append(append([]byte(head), bodies[list]...), f.tails[list]...)); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) writeTruth(out *bufio.Writer) error {
	fmt.Fprintf(out, "{\n  \"causeClass\": \"generated\",\n  \"seed\": %d,\n  \"nodes\": %d,\n  \"pods\": %d,\n  \"volumes\": "+
		"%d,\n  \"incidents\": %d,\n  \"snapshotAt\": %q,\n  \"affected\": [",
		p.seed, p.nodes, p.pods, p.volumes, p.incidents, capture.Format(time.RFC3339))
	comma := "\n    "
	for _, c := range p.cells {
		for _, a := range c.affected {
			out.WriteString(comma)
			out.Write(c.as.append(nil, a))
			comma = ",\n    "
		}
	}
	_, err := out.WriteString("\n  ]\n}\n")
	return err
}
