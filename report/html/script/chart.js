// The timeline as a chart: lanes over time. It shows what the table's rows say, and leads to them.

const chart = {svg: null, dots: [], at: -1, width: 800, left: 190, lane: 20, top: 26, said: null};

function startChart() {
  const c = chart;
  c.svg = draw('svg', {tabindex: 0, role: 'application', 'aria-roledescription': 'chart', height: c.top + c.lane * timeline.lanes.size + 22, width: '100%',
    'aria-label': 'Timeline in lanes. Left and right arrow: previous and next observation. Enter: its row. Plus and minus: zoom. Shift and arrow: earlier, later. 0: whole span.',
    onkeydown: chartKey, onblur: hideTip, onpointerdown: brushStart, onpointermove: brushMove, onpointerup: brushEnd, onpointercancel: () => { c.brush = null; drawChart(); },
    onpointerleave: hideTipSoon, ondblclick: e => zoom(0.5, timeAt(e)),
    onwheel: e => { if (e.ctrlKey || e.metaKey) { e.preventDefault(); zoom(e.deltaY > 0 ? 1.25 : 0.8, timeAt(e)); } }});
  c.said = make('p', {class: 'unseen', role: 'status'});
  new ResizeObserver(() => { const w = c.svg.clientWidth; if (w && w !== c.width) { c.width = w; drawChart(); } }).observe(c.svg);
  return make('div', {class: 'lanes-chart tool'}, c.svg, make('p', {class: 'note'}, 'Drag over a stretch to zoom in; a dot leads to its row. ? shows the keys.'), c.said);
}

const place = ms => chart.left + (ms - timeline.from) / (timeline.to - timeline.from) * (chart.width - chart.left - 12);
const timeAt = e => {
  const x = e.clientX - chart.svg.getBoundingClientRect().left;
  return timeline.from + Math.max(0, Math.min(1, (x - chart.left) / (chart.width - chart.left - 12))) * (timeline.to - timeline.from);
};

function drawChart() {
  const c = chart, t = timeline;
  if (!c.svg) return;
  c.left = c.width < 520 ? 8 : 190;
  c.dots = t.rows.filter(r => r.shown).sort((a, b) => a.from - b.from);
  c.at = Math.min(c.at, c.dots.length - 1);
  const lanes = [...t.lanes.keys()], bottom = c.top + c.lane * lanes.length;
  const parts = [...phaseParts(), ...lanes.flatMap((lane, i) => laneParts(lane, c.top + c.lane * i + c.lane / 2))];
  for (const share of [0, 0.5, 1]) {
    const ms = t.from + (t.to - t.from) * share, x = place(ms);
    parts.push(draw('line', {x1: x, x2: x, y1: c.top, y2: bottom, class: 'grid'}),
      draw('text', {x, y: bottom + 15, 'text-anchor': ['start', 'middle', 'end'][share * 2]}, offset(ms)));
  }
  for (const row of c.dots) parts.push(dotOf(row, c.top + c.lane * lanes.indexOf(row.lane) + c.lane / 2));
  if (scrub.at !== null && scrub.at >= t.from && scrub.at <= t.to) {
    const x = place(scrub.at);
    parts.push(draw('line', {x1: x, x2: x, y1: 0, y2: bottom, class: 'clock'}));
  }
  c.svg.replaceChildren(...parts);
  if (c.at >= 0) mark();
}

// The phases of the chosen incident, or of the first, along the top.
function phaseParts() {
  const c = chart, t = timeline, [number, film] = t.incident ? [t.incident, scrub.films.get(t.incident)] : [...scrub.films][0] ?? [];
  if (!film) return [];
  const shift = film.zero - t.zero, words = `Phases of incident ${number}`;
  const bars = film.phases.filter(p => p.to + shift >= t.from && p.from + shift <= t.to).map(p => {
    const x1 = Math.max(place(p.from + shift), c.left), x2 = Math.min(place(p.to + shift), c.width - 12);
    const name = `${p.id}: ${offset(p.from + shift)} to ${offset(p.to + shift)}`;
    return draw('g', {}, draw('rect', {x: x1, y: 4, width: Math.max(1, x2 - x1), height: 16, fill: p.paint}, draw('title', {}, name)),
      x2 - x1 > 7 * p.id.length ? draw('text', {x: (x1 + x2) / 2, y: 16, 'text-anchor': 'middle', class: 'on'}, p.id) : null);
  });
  return c.left < 20 ? bars : [draw('text', {x: c.left - 10, y: 16, 'text-anchor': 'end'}, words), ...bars];
}

function laneParts(lane, y) {
  const c = chart, name = timeline.rows.find(r => r.lane === lane).laneName;
  const line = draw('line', {x1: c.left, x2: c.width - 12, y1: y, y2: y, class: 'lane'});
  return c.left < 20 ? [line, draw('text', {x: c.left, y: y - 3, class: 'over'}, name)] : [line, draw('text', {x: c.left - 10, y: y + 4, 'text-anchor': 'end'}, name)];
}

// A dot, or a bar for an instant that is known only by its bounds; hollow when it is assumed.
function dotOf(row, y) {
  const from = Math.max(place(row.from), chart.left), to = Math.min(place(row.to), chart.width - 12);
  const shape = to - from > 5 ? draw('rect', {x: from, y: y - 4, width: to - from, height: 8, rx: 4}) : draw('circle', {cx: (from + to) / 2, cy: y, r: 4});
  shape.setAttribute('class', row.assumed ? 'mark assumed' : 'mark');
  shape.addEventListener('pointerenter', e => { if (!chart.brush) showTip(chart.svg, linesOf(row), e.clientX, e.clientY); });
  row.shape = shape;
  return shape;
}

const linesOf = row => [`${row.offset} · ${row.utc}`, row.text, row.objects.length ? row.objects.join(', ') : ''];

function mark() {
  const c = chart, row = c.dots[c.at];
  for (const old of all('.current', c.svg)) old.classList.remove('current');
  row.shape.classList.add('current');
  c.svg.append(row.shape); // on top of the others
}

function chartKey(e) {
  const c = chart, step = {ArrowLeft: -1, ArrowRight: 1}[e.key];
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (step && e.shiftKey) pan(step / 4);
  else if (step && c.dots.length) {
    c.at = Math.max(0, Math.min(c.dots.length - 1, c.at + step));
    mark();
    const box = c.dots[c.at].shape.getBoundingClientRect(), lines = linesOf(c.dots[c.at]);
    showTip(c.svg, lines, box.left, box.bottom);
    c.said.textContent = lines.join('. ');
  } else if (e.key === 'Enter' && c.at >= 0) goTo(c.dots[c.at]);
  else if (e.key === '+' || e.key === '=') zoom(0.5);
  else if (e.key === '-') zoom(2);
  else if (e.key === '0') setWindow(timeline.first, timeline.last);
  else return;
  e.preventDefault();
  e.stopPropagation();
}

function goTo(row) {
  hideTip();
  if (location.hash === '#' + row.tr.id) followHash();
  else location.hash = row.tr.id;
}

// Dragging marks a stretch and zooms to it; a press without a drag on a dot leads to its row.
function brushStart(e) {
  if (e.button !== 0) return;
  chart.brush = {from: timeAt(e), x: e.clientX, target: e.target};
  chart.svg.setPointerCapture(e.pointerId);
}

function brushMove(e) {
  const c = chart, b = c.brush;
  if (!b || Math.abs(e.clientX - b.x) < 4 && !b.shape) return;
  hideTip();
  b.shape ??= c.svg.appendChild(draw('rect', {class: 'brush', y: 0, height: c.top + c.lane * timeline.lanes.size}));
  const [x1, x2] = [place(b.from), place(timeAt(e))].sort((p, q) => p - q);
  b.shape.setAttribute('x', x1);
  b.shape.setAttribute('width', x2 - x1);
}

function brushEnd(e) {
  const b = chart.brush;
  chart.brush = null;
  if (!b) return;
  if (b.shape) return setWindow(...[b.from, timeAt(e)].sort((p, q) => p - q));
  const row = chart.dots.find(r => r.shape === b.target);
  if (row) goTo(row);
}
