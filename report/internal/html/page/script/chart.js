// The chart of an incident: zoom by the wheel, two fingers, dragging, buttons and keys, and a clock that shows what was so at an instant,
// in the chart and in the graph beside it. All of it stands in the page already: here it is only moved, looked up and never worked out.

const charts = [];

function startChart(incident) {
  const figure = find('figure.chart', incident);
  if (!figure) return;
  const d = figure.dataset, first = Number(d.from), last = Number(d.to);
  const c = {figure, incident, zero: Number(d.zero), first, last, from: first, to: last, at: null, pinned: null, fingers: new Map(), edges: d.edges.split(' ').map(Number), graph: find('.graph', incident)};
  c.spans = all('[data-f]', figure).map(node => ({node, from: Number(node.dataset.f), to: Number(node.dataset.t ?? node.dataset.f), text: find('text', node)}));
  c.rows = all('tbody tr', figure).filter(tr => tr.matches('.object, .phases')).map(tr => rowOfChart(c, tr));
  c.instants = [...new Set(c.rows.flatMap(r => r.spans.flatMap(s => [s.from, s.to])))].filter(ms => ms >= first && ms <= last).sort((a, b) => a - b);
  charts.push(c);
  chartTools(c);
  figure.tabIndex = 0;
  figure.setAttribute('role', 'group');
  figure.setAttribute('aria-label', `Chart of incident ${numberOf(incident)}. Plus and minus zoom, shift and arrows move, 0 shows all; arrows move the clock.`);
  for (const part of [figure, c.scrub]) part.addEventListener('keydown', e => chartKey(c, e));
  figure.addEventListener('pointerdown', e => brushStart(c, e));
  figure.addEventListener('pointermove', e => brushMove(c, e));
  figure.addEventListener('pointerup', e => brushEnd(c, e));
  figure.addEventListener('pointercancel', () => { dropBrush(c); c.fingers.clear(); });
  figure.addEventListener('pointerleave', () => readAway(c));
  figure.addEventListener('wheel', e => wheelZoom(e, by => zoom(c, by, timeAt(c, e))), {passive: false});
  new ResizeObserver(() => drawChart(c)).observe(figure);
}

function rowOfChart(c, tr) {
  const spans = c.spans.filter(s => tr.contains(s.node) && !s.node.matches('.unsure, .at'));
  return {tr, spans, name: squeeze(find('th', tr).textContent), shapes: (tr.dataset.shape ?? '').split(' ').map(id => document.getElementById(id)).filter(Boolean)};
}

function chartTools(c) {
  const name = `Clock of incident ${numberOf(c.incident)}`;
  c.said = make('output', {class: 'time'});
  c.range = make('input', {type: 'range', step: 'any', 'aria-label': name, oninput: () => showAt(c, Number(c.range.value))});
  c.back = button('As it was collected', () => { showAt(c, null); c.range.focus(); }, {hidden: true});
  c.whole = button('Whole', () => setStretch(c, c.first, c.last), {hidden: true});
  c.clock = draw('line', {class: 'clock', y2: '100%'});
  c.axis = all('thead .over > text', c.figure);
  c.ticks = find('thead .over', c.figure).appendChild(draw('g', {class: 'tool'}));
  c.cover = draw('svg', {class: 'cover tool', 'aria-hidden': 'true'}, c.clock);
  c.reading = make('div', {class: 'tip reading tool', 'aria-hidden': 'true', hidden: true});
  c.figure.append(c.cover, c.reading);
  c.scrub = make('div', {class: 'scrub tool', role: 'group', 'aria-label': name}, make('div', {class: 'counts'},
    button('◀', () => step(c, -1), {'aria-label': 'Previous change'}), c.range, button('▶', () => step(c, 1), {'aria-label': 'Next change'}),
    button('−', () => zoom(c, 2), {'aria-label': 'Zoom out'}), button('+', () => zoom(c, 0.5), {'aria-label': 'Zoom in'}),
    button('←', () => pan(c, -0.5), {'aria-label': 'Earlier'}), button('→', () => pan(c, 0.5), {'aria-label': 'Later'}), c.whole,
    timeline.section && button('Rows of this stretch', () => { setWindow(c.from + c.zero - timeline.zero, c.to + c.zero - timeline.zero); goToPart('timeline'); })),
    make('p', {class: 'counts'}, c.said, c.back));
  (c.figure.closest('.pair') ?? c.figure).before(c.scrub);
  showAt(c, null);
}

const within = (low, x, high) => Math.max(low, Math.min(x, high));
const shareOf = (c, ms) => within(0, (ms - c.from) / (c.to - c.from), 1) * 100;

function drawChart(c) {
  const over = find('tbody .over', c.figure)?.getBoundingClientRect(), box = c.figure.getBoundingClientRect();
  if (!over?.width) return;
  for (const [name, value] of Object.entries({left: over.left - box.left, width: over.width, height: find('table', c.figure).getBoundingClientRect().bottom - box.top})) c.cover.style[name] = value + 'px';
  for (const s of c.spans) place(c, s, over.width);
  const ticks = ticksOf(c), path = list => list.map(ms => `M${(shareOf(c, ms) * 10).toFixed(1)} 0V1`).join('');
  const inside = list => list.filter(ms => ms >= c.from && ms <= c.to);
  for (const grid of all('path.grid', c.figure)) grid.setAttribute('d', path(ticks.list));
  for (const edge of all('path.edge', c.figure)) edge.setAttribute('d', path(inside(c.edges)));
  const gap = Math.ceil(ticks.list.length * (ticks.words[0]?.length ?? 0) * 7.5 / over.width), whole = c.whole.hidden = c.from === c.first && c.to === c.last;
  for (const text of c.axis) text.toggleAttribute('hidden', !whole);
  c.ticks.replaceChildren(...(whole ? [] : ticks.list.filter((_, i) => i % gap === 0)).map(ms => {
    const x = shareOf(c, ms);
    return draw('text', {x: x + '%', y: 14, 'text-anchor': x < 8 ? 'start' : x > 92 ? 'end' : 'middle', fill: '#444444'}, ticks.words[ticks.list.indexOf(ms)]);
  }));
  const shown = c.at !== null && c.at >= c.from && c.at <= c.to;
  c.clock.toggleAttribute('hidden', !shown);
  for (const end of ['x1', 'x2']) c.clock.setAttribute(end, shown ? shareOf(c, c.at) + '%' : 0);
}

// place puts a bar where its stretch lies in view; its word stands in it where it has room.
function place(c, s, width) {
  const x = shareOf(c, s.from), wide = Math.max(shareOf(c, s.to) - x, 0.3);
  s.node.toggleAttribute('display', false);
  if (s.to < c.from || s.from > c.to) return s.node.setAttribute('display', 'none');
  s.node.setAttribute('x', x + '%');
  if (s.node.matches('.at')) return;
  s.node.setAttribute('width', Math.min(wide, 100 - x) + '%');
  if (!s.text) return;
  s.text.dataset.fits = 'yes';
  if (s.text.getComputedTextLength() + 6 > width * Math.min(wide, 100 - x) / 100) s.text.dataset.fits = 'no';
}

// The times of the clock: at least six, as package report's chart has them.
const tickSteps = [0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400].map(s => s * 1000);

function ticksOf(c) {
  const total = c.to - c.from, size = tickSteps.findLast(s => total >= 6 * s) ?? tickSteps[0], list = [], from = c.from + c.zero, east = missing ? 0 : Date.parse(inZone(from) + 'Z') - from, begin = Math.floor((from + east) / size) * size + size - east;
  for (let ms = begin; ms < c.to + c.zero && list.length < 40; ms += size) list.push(ms - c.zero);
  return {list, words: list.map(ms => clockText(ms + c.zero, size))};
}

// A time of the clock as far as the distance of two of them needs it.
const clockText = (ms, size) => missing === 'date' ? distance(ms) : inZone(ms).slice(11, size < 1000 ? 22 : size < 60000 ? 19 : 16);

const stateAt = (row, ms) => row.spans.findLast(s => s.from <= ms && ms <= s.to);

// showAt sets the clock: null is the collection, as which the drawing was made.
function showAt(c, ms) {
  c.pinned = ms;
  c.back.hidden = ms === null;
  const said = showStates(c, ms);
  c.range.min = c.from;
  c.range.max = c.to;
  c.range.value = ms ?? c.to;
  c.said.textContent = ms === null ? 'Move the clock or the pointer: every object at that instant, in chart and graph. Ctrl + wheel, two fingers or a drag zoom.' : `${whenOf(c, ms).join(' · ')} · ${said[0]}`;
  c.range.setAttribute('aria-valuetext', ms === null ? c.said.textContent : c.said.textContent + '. ' + said.slice(1).join('. '));
}

const whenOf = (c, ms) => [...new Set([offset(ms), stamp(c.zero + ms)])];

// showStates shows every object at an instant, and answers their states in words.
function showStates(c, ms) {
  c.at = ms;
  c.graph?.classList.toggle('past', ms !== null);
  const said = [];
  for (const row of c.rows) {
    const s = ms === null ? null : stateAt(row, ms), word = ms === null ? '' : s?.text.textContent ?? (row.tr.matches('.phases') ? 'no active phase' : 'does not exist');
    for (const other of row.spans) other.node.classList.toggle('now', other === s);
    if (ms !== null && word) said.push(`${row.name}: ${word}`);
    for (const shape of row.shapes) showShape(shape, ms, word, s);
  }
  drawChart(c);
  return said;
}

// readAt reads time and states where the pointer is, until it leaves: the clock stays where it was set.
function readAt(c, e) {
  if (!e.target.closest('.over') && e.target !== c.figure || c.brush?.shape) return readAway(c);
  const ms = timeAt(c, e), said = showStates(c, ms), box = c.figure.getBoundingClientRect();
  c.reading.replaceChildren(make('b', {}, whenOf(c, ms).join(' · ')), ...said.map(line => make('span', {}, line)));
  c.reading.hidden = false;
  const mine = c.reading.getBoundingClientRect(), right = e.clientX + 16 + mine.width < innerWidth;
  c.reading.style.left = (right ? e.clientX + 16 : Math.max(4, e.clientX - 16 - mine.width)) + 'px';
  c.reading.style.top = Math.max(4, Math.min(e.clientY + 16, innerHeight - mine.height - 4)) + 'px';
}

function readAway(c) {
  if (c.reading.hidden) return;
  c.reading.hidden = true;
  showStates(c, c.pinned);
}

// showShape writes a state into the drawing; what is not there is faint.
function showShape(shape, ms, word, s) {
  all('text.state', shape).forEach((text, i) => {
    text.dataset.drawn ??= text.textContent;
    text.textContent = ms === null ? text.dataset.drawn : i === 0 ? word : '';
  });
  shape.classList.toggle('absent', ms !== null && (!s || s.node.matches('.gone')));
  shape.classList.toggle('hot', !!s?.node.matches('.hot'));
}

const stepTo = (instants, ms, by) => by > 0 ? instants.find(i => i > ms) ?? instants.at(-1) : instants.findLast(i => i < ms) ?? instants[0];
const step = (c, by, instants = c.instants) => showAt(c, stepTo(instants, c.pinned ?? c.last, by));

// setStretch shows a stretch, within what there is and no shorter than half a second.
function setStretch(c, from, to) {
  const wide = within(Math.min(500, c.last - c.first), to - from, c.last - c.first);
  c.from = within(c.first, from, c.last - wide);
  c.to = c.from + wide;
  showAt(c, c.pinned);
}

// wheelZoom zooms by the wheel with Ctrl, as browsers report two fingers on a touchpad; without it the page scrolls.
function wheelZoom(e, zoomBy) {
  if (!e.ctrlKey && !e.metaKey) return;
  e.preventDefault();
  zoomBy(Math.exp(within(-0.7, e.deltaY * (e.deltaMode === 1 ? 0.05 : 0.004), 0.7)));
}

// pinched follows two fingers: how much nearer they have come, and where they are.
function pinched(fingers, e) {
  const before = [...fingers.values()];
  fingers.set(e.pointerId, e);
  const [p, q] = [...fingers.values()], apart = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  return {by: apart(...before) / Math.max(apart(p, q), 1), clientX: (p.clientX + q.clientX) / 2, clientY: (p.clientY + q.clientY) / 2};
}

const zoom = (c, factor, at = c.at !== null && c.at > c.from && c.at < c.to ? c.at : (c.from + c.to) / 2) => setStretch(c, at - (at - c.from) * factor, at + (c.to - at) * factor);
const pan = (c, by) => setStretch(c, c.from + (c.to - c.from) * by, c.to + (c.to - c.from) * by);

function chartKey(c, e) {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.matches('button, a')) return;
  const phases = c.rows[0].spans.flatMap(s => [s.from, s.to]), by = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[e.key];
  if (by && e.shiftKey) pan(c, by / 4);
  else if (by && (e.target === c.range || e.key.match(/Left|Right/))) step(c, by);
  else if (e.key === 'PageUp' || e.key === 'PageDown') step(c, e.key === 'PageUp' ? -1 : 1, phases);
  else if (e.key === 'Home' || e.key === 'End') showAt(c, e.key === 'Home' ? c.instants[0] : c.instants.at(-1));
  else if (!zoomKey(c, e.key)) return;
  e.preventDefault();
  e.stopPropagation();
}

function zoomKey(c, key) {
  if (key === '+' || key === '=') zoom(c, 0.5);
  else if (key === '-') zoom(c, 2);
  else if (key === '0') setStretch(c, c.first, c.last);
  else return false;
  return true;
}

// The chart that keys without a focus mean: the first in view, or the first.
const chartInView = () => charts.find(c => { const b = c.figure.getBoundingClientRect(); return b.height && b.bottom > 0 && b.top < innerHeight; }) ?? charts[0];

const timeAt = (c, e) => {
  const box = c.cover.getBoundingClientRect();
  return c.from + within(0, (e.clientX - box.left) / box.width, 1) * (c.to - c.from);
};

// Dragging marks a stretch and zooms to it; a press without a drag sets the clock.
function brushStart(c, e) {
  if (e.button !== 0 || !e.target.closest('.over') || e.target.closest('a')) return;
  c.fingers.set(e.pointerId, e);
  if (c.fingers.size > 1) return dropBrush(c);
  c.brush = {from: timeAt(c, e), x: e.clientX};
  c.figure.setPointerCapture(e.pointerId);
}

function dropBrush(c) {
  c.brush?.shape?.remove();
  c.brush = null;
}

function brushMove(c, e) {
  const b = c.brush;
  if (c.fingers.size === 2 && c.fingers.has(e.pointerId)) {
    const p = pinched(c.fingers, e);
    return zoom(c, p.by, timeAt(c, p));
  }
  if (!b && e.pointerType === 'mouse') readAt(c, e);
  if (!b || Math.abs(e.clientX - b.x) < 4 && !b.shape) return;
  if (!c.reading.hidden) readAway(c);
  b.shape ??= c.cover.appendChild(draw('rect', {class: 'brush', height: '100%'}));
  const [from, to] = [b.from, timeAt(c, e)].sort((p, q) => p - q);
  b.shape.setAttribute('x', shareOf(c, from) + '%');
  b.shape.setAttribute('width', shareOf(c, to) - shareOf(c, from) + '%');
}

function brushEnd(c, e) {
  const b = c.brush;
  c.fingers.delete(e.pointerId);
  dropBrush(c);
  if (!b) return;
  if (b.shape) setStretch(c, ...[b.from, timeAt(c, e)].sort((p, q) => p - q));
  else showAt(c, timeAt(c, e));
}

const startCharts = () => { all('details.incident').forEach(startChart); all('.graph').forEach(startGraph); };

// The graph: zoom by the wheel with Ctrl, two fingers, buttons and keys; what is larger than its frame is dragged.
function startGraph(graph) {
  const g = {graph, fingers: new Map(), pictures: all('svg[viewBox]', graph).filter(svg => !svg.parentNode.closest('svg')).map(svg => ({svg, whole: boxOf(svg), was: svg.getAttribute('viewBox')}))};
  if (!g.pictures.length) return;
  const shown = () => g.pictures.find(p => p.svg.checkVisibility()) ?? g.pictures[0];
  const middle = p => { const b = p.svg.getBoundingClientRect(); return {clientX: b.left + b.width / 2, clientY: b.top + b.height / 2}; };
  const by = factor => scaleGraph(shown(), factor, middle(shown())), whole = () => g.pictures.forEach(p => setBox(p, p.whole));
  graph.addEventListener('wheel', e => wheelZoom(e, factor => scaleGraph(shown(), factor, e)), {passive: false});
  graph.addEventListener('keydown', e => {
    const move = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[e.key], p = shown();
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (move && p.svg.classList.contains('near')) moveGraph(p, move[0] * 40, move[1] * 40);
    else if (e.key === '+' || e.key === '=') by(0.7);
    else if (e.key === '-') by(1 / 0.7);
    else if (e.key === '0') whole();
    else return;
    e.preventDefault();
    e.stopPropagation();
  });
  graph.addEventListener('pointerdown', e => { if (e.button === 0) { g.fingers.set(e.pointerId, e); g.moved = 0; } });
  graph.addEventListener('pointermove', e => {
    const last = g.fingers.get(e.pointerId), p = shown();
    if (!last) return;
    if (g.fingers.size === 2) { const two = pinched(g.fingers, e); g.moved = 9; return scaleGraph(p, two.by, two); }
    g.fingers.set(e.pointerId, e);
    if (!p.svg.classList.contains('near')) return;
    if ((g.moved += Math.abs(e.clientX - last.clientX) + Math.abs(e.clientY - last.clientY)) > 4 && !graph.hasPointerCapture(e.pointerId)) graph.setPointerCapture(e.pointerId);
    moveGraph(p, last.clientX - e.clientX, last.clientY - e.clientY);
  });
  for (const end of ['pointerup', 'pointercancel']) graph.addEventListener(end, e => g.fingers.delete(e.pointerId));
  graph.addEventListener('click', e => { if (g.moved > 4) e.preventDefault(); g.moved = 0; }, true);
  graph.addEventListener('dragstart', e => e.preventDefault());
  graph.after(make('div', {class: 'counts tool', role: 'group', 'aria-label': 'Zoom of the graph'}, button('−', () => by(1 / 0.7), {'aria-label': 'Zoom the graph out'}),
    button('+', () => by(0.7), {'aria-label': 'Zoom the graph in'}), button('Whole graph', whole)));
}

const boxOf = svg => { const b = svg.viewBox.baseVal; return {x: b.x, y: b.y, width: b.width, height: b.height}; };

// setBox shows a part of a picture, within the whole.
function setBox(p, b) {
  const w = p.whole, x = within(w.x, b.x, w.x + w.width - b.width), y = within(w.y, b.y, w.y + w.height - b.height);
  p.svg.setAttribute('viewBox', b.width < w.width ? `${x} ${y} ${b.width} ${b.height}` : p.was);
  p.svg.classList.toggle('near', b.width < w.width);
}

function scaleGraph(p, factor, e) {
  const b = boxOf(p.svg), at = new DOMPoint(e.clientX, e.clientY).matrixTransform(p.svg.getScreenCTM().inverse());
  const f = within(p.whole.width / 8, b.width * factor, p.whole.width) / b.width;
  setBox(p, {x: at.x - (at.x - b.x) * f, y: at.y - (at.y - b.y) * f, width: b.width * f, height: b.height * f});
}

function moveGraph(p, dx, dy) {
  const b = boxOf(p.svg), scale = p.svg.getScreenCTM().a;
  setBox(p, {...b, x: b.x + dx / scale, y: b.y + dy / scale});
}
