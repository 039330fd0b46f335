package ingest

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/kubestate"
	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/model"
)

// openMetrics makes sources of the blocks, texts and answers that were met, and reads their statements.
func (r *reading) openMetrics() {
	r.openBlocks()
	r.joinAnswers()
	slices.SortStableFunc(r.s.Metrics, func(a, b model.MetricSource) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Form, b.Form), a.External.Compare(b.External))
	})
	sources := r.s.Metrics
	r.s.Metrics = nil
	var shares []*share
	for _, src := range sources {
		shares = append(shares, r.sharesOf(src)...)
	}
	r.judge(shares)
	for _, s := range shares {
		if s.refuse != "" {
			r.problem(model.Problem{Severity: model.Warning, Path: s.source.Input, Message: s.refuse})
			r.refused = true
			continue
		}
		r.take(s)
	}
}

// share is what a source says of one cluster.
type share struct {
	kubestate.Result
	source  model.MetricSource
	refuse  string // why it is not used, as a sentence
	cluster string // of the several of the bundle; "" where nothing shows it
}

// late reports that no time is left to read the metrics of a file.
func (r *reading) late(file string) bool {
	if r.ctx.Err() == nil {
		return false
	}
	r.cutShort("the metrics were read")
	r.problem(model.Problem{Severity: model.Warning, Path: file, Message: "for want of time, nothing of these metrics is read"})
	return true
}

func (r *reading) sharesOf(src model.MetricSource) []*share {
	if r.late(src.Input) {
		return nil
	}
	var out []*share
	all := kubestate.Read(src)
	if r.ctx.Err() != nil {
		r.cutShort("the metrics were read")
	}
	for _, result := range all {
		s := &share{Result: result, source: src}
		s.source.Interval = result.Interval
		if len(all) > 1 {
			s.source.Select, s.source.Cluster = selectCluster(src.Select, result.Cluster), result.Cluster
			if src.Scraped != nil {
				s.source.Scraped = selectCluster(src.Scraped, result.Cluster)
			}
		}
		out = append(out, s)
	}
	for _, text := range all[0].Damage {
		r.problem(model.Problem{Severity: model.Warning, Path: src.Input, Message: text})
	}
	if p := r.partOf(src.Input); p != nil && p.input.Records == 0 {
		for _, result := range all {
			p.input.Records += result.Series // the headers of a log do not count them
		}
	}
	return out
}

// take adds what a share says to the snapshot.
func (r *reading) take(s *share) {
	r.shares, r.s.Metrics = append(r.shares, s), append(r.s.Metrics, s.source)
	p := r.partOf(s.source.Input)
	if p == nil {
		return
	}
	p.input.Used = min(p.input.Used+s.Series, p.input.Records)
	p.input.Skipped = p.input.Records - p.input.Used
	many := s.Series > manySeries
	s.Statements(func(o model.Observation) {
		o.Cluster = s.source.Cluster
		if many && p.spill(o) {
			return
		}
		if p.take(&event{Statement: o}) {
			r.s.Observations = append(r.s.Observations, o)
		}
	})
}

// manySeries is how many series a source can have for its ordinary statements to be kept as they are: of more, they go to the store.
const manySeries = 10_000

func (r *reading) partOf(input string) *part {
	i := slices.IndexFunc(r.parts, func(p *part) bool { return p.input.Path == input })
	if i < 0 {
		return nil
	}
	return r.parts[i]
}

// joinAnswers makes one source of all answers of the HTTP API in a directory: each is one query to one server.
func (r *reading) joinAnswers() {
	joined := map[string]*series.Memory{}
	first := map[string]*part{}
	var dirs []string
	parts := slices.Clone(r.parts)
	slices.SortFunc(parts, func(a, b *part) int { return cmp.Compare(a.input.Path, b.input.Path) })
	for _, p := range parts {
		if p.memory == nil || p.memory.Series() == 0 {
			continue
		}
		if p.memory.Form != model.MetricAPI {
			r.s.Metrics = append(r.s.Metrics, p.memory.Source(p.input.Path, p.input.Path))
			continue
		}
		dir := path.Dir(slashed(p.input.Path))
		if joined[dir] == nil {
			joined[dir], first[dir] = series.NewMemory(model.MetricAPI), p
			dirs = append(dirs, dir)
		}
		p.input.Used, p.input.Skipped = p.input.Records, 0
		if !joined[dir].Join(p.memory) {
			r.problem(model.Problem{Severity: model.Warning, Path: p.input.Path,
				Message: "the answers of this directory hold more samples than are kept; those of this file are left out from some series on"})
		}
	}
	for _, dir := range dirs {
		in := first[dir].input.Path
		r.s.Metrics = append(r.s.Metrics, joined[dir].Source(path.Dir(in), in))
	}
}

// samples takes what was read of a text, or of an answer of Prometheus' HTTP API.
func (p *part) samples(t series.Text, err error) {
	p.input.Kind = model.InputMetrics
	for _, w := range t.Warnings {
		p.problem(model.Warning, 0, w)
	}
	if err != nil {
		p.problem(model.Failure, 0, err.Error())
	}
	if t.Skipped > 0 {
		p.problem(model.Info, 0, fmt.Sprintf("%d lines are no sample that is used", t.Skipped))
	}
	p.remember(t.Memory)
	p.expressions(t.Unnamed)
}

// remember keeps what was read of metrics and accounts for it by series.
func (p *part) remember(m *series.Memory) {
	if m == nil {
		p.input.Kind = model.InputUnread
		return
	}
	p.memory = m
	p.input.Records = m.Series()
	p.input.Skipped = m.Series()
	if from, to := m.Span(); !from.IsZero() {
		p.input.From, p.input.To = &from, &to
	}
}

// openBlocks opens the blocks that the walk met. Those of one directory with the same external labels are one server's.
func (r *reading) openBlocks() {
	type server struct{ dir, external string }
	files := map[*series.Block]string{} // that account for them
	of := map[server][]*series.Block{}
	var order []server
	add := func(dir, file string, b *series.Block) {
		key := server{dir, b.External.String()}
		if of[key] == nil {
			order = append(order, key)
		}
		of[key], files[b] = append(of[key], b), file
	}
	for _, dir := range r.blocks.dirs() {
		file := r.blocks.found[blockAt{dir: dir}].file
		if b := r.openBlock(dir, file); b != nil {
			add(path.Dir(dir), file, b)
		}
	}
	r.openHeads(add)
	for _, key := range order {
		blocks := of[key]
		store := series.NewStore(r.ctx, blocks...)
		r.closers = append(r.closers, store)
		dir := key.dir
		if len(blocks) == 1 {
			dir = blocks[0].Path
		}
		r.s.Metrics = append(r.s.Metrics, store.Source(dir, files[blocks[0]]))
	}
}

// openBlock opens a block, and accounts for it with a file; nil when it cannot be read.
func (r *reading) openBlock(dir, file string) *series.Block {
	b, err := r.blocks.open(r.ctx, dir)
	if r.late(file) {
		return nil
	}
	name := "the block " + path.Base(dir)
	if err != nil {
		r.problem(model.Problem{Severity: model.Failure, Path: file, Message: name + " " + err.Error() + "; what it would tell is not known"})
		return nil
	}
	if p := r.partOf(file); p != nil {
		p.input.Records, p.input.Skipped = b.Series, b.Series
		if b.From.Before(b.To) {
			p.input.From, p.input.To = new(b.From), new(b.To)
		}
	}
	for _, text := range b.Damage {
		r.problem(model.Problem{Severity: model.Warning, Path: file, Message: name + ": " + text})
	}
	return b
}

// hasMetrics reports whether there are metrics, be they unreadable; those that were refused are another cluster's.
func hasMetrics(s *model.Snapshot, refused bool) bool {
	return len(s.Metrics) > 0 || !refused && slices.ContainsFunc(s.Inputs, func(in model.Input) bool { return in.Kind == model.InputMetrics })
}

// slashed is a path whose archives are directories.
func slashed(p string) string { return strings.ReplaceAll(p, "!", "/") }

// blockPart names the parts of a block that a walk can meet.
type blockPart int

const (
	blockMeta blockPart = 1 << iota
	blockIndex
	blockChunks
	headPart
	wholeBlock = blockMeta | blockIndex | blockChunks
)

func (b blockPart) missing() string {
	var out []string
	for i, name := range []string{"meta.json", "index", "chunks"} {
		if b&(1<<i) == 0 {
			out = append(out, name)
		}
	}
	return "has no " + strings.Join(out, " and no ")
}
