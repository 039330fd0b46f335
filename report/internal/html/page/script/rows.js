// The rows of the timeline and which of them are shown. See timelineRow in html_timeline.go for the attributes.

const timeline = {section: null, zero: 0, rows: [], objects: [], from: 0, to: 0, first: 0, last: 0, lanes: new Map(), off: new Set(), incident: '', words: ''};

// The lanes in the order of lanes.go; one that it does not have comes last.
const laneOrder = ['node', 'pods', 'controller', 'attacher', 'storage', 'people', 'alerts', 'other'];
const laneRank = lane => (laneOrder.indexOf(lane) + laneOrder.length + 1) % (laneOrder.length + 1);

function readRows() {
  const t = timeline;
  t.section = document.getElementById('timeline');
  if (!t.section) return false;
  t.zero = missing ? Number(t.section.dataset.zero) : Date.parse(t.section.dataset.zero);
  t.objects = all('#objects option').map(o => o.value);
  for (const tr of all('tr[data-lane]', t.section)) {
    const d = tr.dataset;
    const cells = [...tr.cells];
    const row = {tr, lane: d.lane, from: Number(d.from), to: Number(d.to), incidents: ranges(d.incident), objects: (d.object ?? '').split(' ').filter(Boolean).map(n => t.objects[n - 1] ?? '')};
    row.offset = squeeze(cells[0].textContent);
    row.utc = squeeze(cells[1].textContent);
    row.text = squeeze(cells.at(-2).textContent);
    row.laneName = squeeze(cells.at(-3).textContent);
    row.assumed = !!find('.basis.assumed', tr);
    row.search = (row.text + ' ' + row.objects.join(' ')).toLowerCase();
    t.rows.push(row);
    t.lanes.set(d.lane, (t.lanes.get(d.lane) ?? 0) + 1);
  }
  t.lanes = new Map([...t.lanes].sort(([a], [b]) => laneRank(a) - laneRank(b)));
  t.first = t.from = Math.min(...t.rows.map(r => r.from));
  t.last = t.to = Math.max(...t.rows.map(r => r.to), t.first + 1);
  return t.rows.length > 0;
}

// "1-3 7" is the incidents 1, 2, 3 and 7.
function ranges(text) {
  const out = [];
  for (const part of (text ?? '').split(' ').filter(Boolean)) {
    const [low, high] = part.split('-').map(Number);
    out.push([low, high ?? low]);
  }
  return out;
}

const inIncident = (row, number) => row.incidents.some(([low, high]) => low <= number && number <= high);

function wanted(row) {
  const t = timeline;
  return !t.off.has(row.lane) && row.to >= t.from && row.from <= t.to && (!t.incident || inIncident(row, Number(t.incident))) &&
    t.words.split(' ').every(w => row.search.includes(w));
}

const filtered = () => {
  const t = timeline;
  return t.off.size > 0 || t.incident !== '' || t.words !== '' || zoomed();
};
const zoomed = () => timeline.from > timeline.first || timeline.to < timeline.last;

// What the filter hides is counted in words: no observation goes without a trace.
function applyFilter() {
  const t = timeline;
  let shown = 0, folded = 0;
  for (const row of t.rows) {
    row.shown = wanted(row);
    row.tr.hidden = !row.shown;
    if (!row.shown) continue;
    shown++;
    if (row.tr.closest('details.more:not([open])')) folded++;
  }
  const rest = t.rows.length - shown;
  t.count.textContent = `${shown} of ${t.rows.length} rows` + (rest ? `; ${rest} are hidden by the filter` : '') +
    (folded && filtered() ? `; ${folded} of those shown are in the folded part below` : '') + '. ' +
    (zoomed() ? `${offset(t.from)} to ${offset(t.to)}.` : '');
  t.reset.hidden = !filtered();
}

function showAllRows() {
  const t = timeline;
  t.off.clear();
  [t.incident, t.words, t.from, t.to] = ['', '', t.first, t.last];
  writeControls();
  applyFilter();
}
