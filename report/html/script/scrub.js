// The clock of an incident: drag it, and the drawing shows what the report tells of that instant. What is shown comes ready from
// the page's data (htmlFilm in html_film.go): here it is only looked up, never worked out.

const scrub = {at: null, films: new Map()};

// lastAt is the index of the last change at an instant or before it, or -1.
function lastAt(changes, ms) {
  let low = 0, high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle][0] <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function startScrub(incident) {
  const film = data('script.film', incident), graph = find('.graph', incident);
  if (!film || !graph) return;
  scrub.films.set(numberOf(incident), film);
  const clock = make('output', {class: 'time'}), facts = make('dl', {class: 'facts'});
  const range = make('input', {type: 'range', min: film.instants[0], max: film.instants.at(-1), step: 'any', 'aria-label': `Clock of incident ${numberOf(incident)}`,
    oninput: () => show(Number(range.value)), onkeydown: e => clockKey(e, film, Number(range.value), show)});
  const tracks = film.tracks.map(t => {
    const value = make('dd');
    const line = make('div', {}, make('dt', {}, t.label), value);
    return {...t, value, line, shape: t.shape && document.getElementById(t.shape)};
  });
  const back = button('As it was collected', () => { show(null); range.focus(); }, {hidden: true});

  function show(ms) {
    scrub.at = ms === null ? null : ms + film.zero - timeline.zero;
    back.hidden = ms === null;
    facts.hidden = ms === null;
    for (const t of tracks) showTrack(t, ms);
    graph.classList.toggle('past', ms !== null);
    if (ms === null) {
      range.value = film.instants.at(-1);
      clock.textContent = 'The drawing shows the objects as they were collected. Drag the clock to see them at an instant.';
    } else {
      range.value = ms;
      const phase = film.phases.findLast(p => p.from <= ms), name = phase && ms <= phase.to ? `phase ${phase.id}` : 'outside of the phases';
      clock.textContent = `${[...new Set([offset(ms), stamp(film.zero + ms)])].join(' · ')} · ${name}`;
    }
    range.setAttribute('aria-valuetext', clock.textContent + (ms === null ? '' : '. ' + tracks.map(t => `${t.label}: ${t.value.textContent}`).join('. ')));
    drawChart();
  }

  facts.append(...tracks.map(t => t.line));
  range.value = film.instants.at(-1);
  graph.before(make('div', {class: 'scrub tool', role: 'group', 'aria-label': `Clock of incident ${numberOf(incident)}`},
    phaseStrip(film, range), make('div', {class: 'counts'}, button('◀', () => show(stepTo(film.instants, Number(range.value), -1)), {'aria-label': 'Previous change'}), range,
      button('▶', () => show(stepTo(film.instants, Number(range.value), 1)), {'aria-label': 'Next change'})),
    make('p', {class: 'counts'}, clock, back)));
  graph.after(make('div', {class: 'scrub states tool'}, facts));
  show(null);
}

// showTrack writes one object's state into the list and into the drawing; what does not exist is faint and says so.
function showTrack(t, ms) {
  const change = ms === null ? null : t.changes[lastAt(t.changes, ms)];
  t.value.textContent = change?.[1] ?? '';
  t.value.classList.toggle('hot', change?.[2] === 'hot');
  if (!t.shape || !change && !t.text) return; // the drawing is left alone until the clock is used
  t.text ??= stateText(t);
  fit(t.text, change ? change[1] : t.drawn ?? '', t.room);
  t.shape.classList.toggle('absent', change?.[2] === 'absent');
  t.shape.classList.toggle('hot', change?.[2] === 'hot');
}

// stateText is the text of a drawn object that tells its state; one that was drawn without gets it under its shape.
function stateText(t) {
  const box = t.shape.getBBox(), own = t.drawn && all('text', t.shape).find(x => x.textContent === t.drawn);
  t.room = own ? box.width - 6 : box.width + 8;
  if (own) return own;
  return t.shape.appendChild(draw('text', {x: box.x + box.width / 2, y: box.y + box.height + 11, 'text-anchor': 'middle', 'font-family': 'Helvetica,Arial,sans-serif', 'font-size': 10, class: 'state'}));
}

// fit writes a text into the room that its object has: of several parts the first, and of a long one the beginning.
function fit(text, words, room) {
  text.textContent = words;
  const parts = words.split('; ');
  while (parts.length > 1 && text.getComputedTextLength() > room) {
    parts.pop();
    text.textContent = parts.join('; ') + '; …';
  }
  for (let n = text.textContent.length - 1; n > 4 && text.getComputedTextLength() > room; n--) text.textContent = words.slice(0, n) + '…';
}

const stepTo = (instants, ms, step) => step > 0 ? instants.find(i => i > ms) ?? instants.at(-1) : instants.findLast(i => i < ms) ?? instants[0];

function clockKey(e, film, ms, show) {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const phases = [...new Set(film.phases.flatMap(p => [p.from, p.to]))].sort((a, b) => a - b);
  const to = {ArrowRight: () => stepTo(film.instants, ms, 1), ArrowUp: () => stepTo(film.instants, ms, 1), ArrowLeft: () => stepTo(film.instants, ms, -1),
    ArrowDown: () => stepTo(film.instants, ms, -1), PageUp: () => stepTo(phases, ms, -1), PageDown: () => stepTo(phases, ms, 1),
    Home: () => film.instants[0], End: () => film.instants.at(-1)}[e.key];
  if (!to) return;
  e.preventDefault();
  show(to());
}

// phaseStrip shows where on the clock each phase lies.
function phaseStrip(film, range) {
  const from = film.instants[0], total = film.instants.at(-1) - from, share = ms => (ms - from) / total * 100 + '%';
  return draw('svg', {class: 'phases', width: '100%', height: 12, 'aria-hidden': 'true'}, film.phases.map(p => draw('rect', {x: share(p.from), width: (p.to - p.from) / total * 100 + '%', height: 10, y: 1, fill: p.paint},
    draw('title', {}, `${p.id}: ${offset(p.from)} to ${offset(p.to)}`))));
}

const startScrubs = () => all('details.incident').forEach(startScrub);
