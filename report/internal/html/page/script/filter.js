// The controls of the timeline, and the view that they make as a link.

function startFilter() {
  const t = timeline, form = make('form', {class: 'filter tool', 'aria-label': 'What the timeline shows', onsubmit: e => e.preventDefault()});
  const names = new Map(t.rows.map(r => [r.lane, r.laneName]));
  t.boxes = new Map();
  const lanes = make('fieldset', {}, make('legend', {}, 'Lanes'));
  for (const [lane, count] of t.lanes) {
    const box = make('input', {type: 'checkbox', checked: true, onchange: () => { box.checked ? t.off.delete(lane) : t.off.add(lane); applyFilter(); }});
    t.boxes.set(lane, box);
    lanes.append(make('label', {}, box, ` ${names.get(lane)} (${count})`));
  }
  t.search = make('input', {type: 'search', list: t.objects.length ? 'objects' : null, placeholder: 'pod, node, words', oninput: () => {
    t.words = squeeze(t.search.value).toLowerCase();
    applyFilter();
    showResults();
  }});
  form.append(lanes, make('label', {}, 'Object or words ', t.search), ...incidentChoice());
  t.count = make('p', {role: 'status', class: 'count'});
  t.reset = button('Show all', showAllRows, {hidden: true});
  form.append(make('div', {class: 'counts'}, t.count, t.reset, button('Copy rows as Markdown', copyRows), button('Link to this view', linkView)));
  find('details > summary', t.section).after(form);
  for (const d of all('details', t.section)) d.addEventListener('toggle', applyFilter);
  applyFilter();
}

// showResults brings what a filter has left into view, below the words that one types.
function showResults() {
  const first = timeline.rows.map(r => r.tr).find(tr => tr.checkVisibility());
  if (first && first.getBoundingClientRect().bottom > innerHeight) timeline.search.closest('label').scrollIntoView({block: 'start', behavior: 'instant'});
}

function incidentChoice() {
  const t = timeline, incidents = all('[data-number]').sort((a, b) => numberOf(a) - numberOf(b));
  if (incidents.length < 2) return [];
  t.choice = make('select', {onchange: () => { t.incident = t.choice.value; applyFilter(); }}, make('option', {value: ''}, 'all'),
    incidents.map(d => make('option', {value: numberOf(d)}, squeeze(find('h4', d)?.textContent ?? `Incident ${numberOf(d)}: ${find('th', d).textContent}`))));
  return [make('label', {}, 'Incident ', t.choice)];
}

const numberOf = incident => incident.dataset.number ?? /\d+/.exec(find('h4', incident).textContent)?.[0] ?? '';

function writeControls() {
  const t = timeline;
  for (const [lane, box] of t.boxes) box.checked = !t.off.has(lane);
  t.search.value = t.words;
  if (t.choice) t.choice.value = t.incident;
}

// setWindow shows a stretch, within what there is and no shorter than a tenth of a second.
function setWindow(from, to) {
  const t = timeline, width = Math.min(Math.max(to - from, 100), t.last - t.first);
  t.from = Math.max(t.first, Math.min(from, t.last - width));
  t.to = Math.min(t.last, t.from + width);
  applyFilter();
}

// A link has instants in full, or, where nothing dates them, milliseconds.
const toLink = ms => missing ? String(ms) : new Date(ms).toISOString();
const fromLink = text => text === null ? NaN : missing ? Number(text) : Date.parse(text);

// A view as a link holds absolute times and identifiers, so that it means the same in a report of a later run.
function viewHash() {
  const t = timeline, q = new URLSearchParams();
  if (t.off.size) q.set('lane', [...t.lanes.keys()].filter(l => !t.off.has(l)).join(' '));
  if (t.incident) q.set('incident', all('[data-number]').find(d => numberOf(d) === t.incident)?.id ?? '');
  if (t.words) q.set('words', t.words);
  if (zoomed()) { q.set('from', toLink(t.zero + t.from)); q.set('to', toLink(t.zero + t.to)); }
  return '#timeline' + (q.size ? '?' + q : '');
}

function linkView() {
  history.replaceState(null, '', viewHash());
  copy(location.href, 'The link');
}

// viewFrom follows a link to a view; it answers whether it is one.
function viewFrom(name) {
  const t = timeline;
  if (!name.startsWith('timeline?') || !t.section) return false;
  const q = new URLSearchParams(location.hash.slice(location.hash.indexOf('?') + 1));
  const incident = q.get('incident') && document.getElementById(q.get('incident'));
  t.off = new Set(q.has('lane') ? [...t.lanes.keys()].filter(l => !q.get('lane').split(' ').includes(l)) : []);
  t.words = squeeze(q.get('words') ?? '').toLowerCase();
  t.incident = incident ? numberOf(incident) : '';
  const from = fromLink(q.get('from')) - t.zero, to = fromLink(q.get('to')) - t.zero;
  writeControls();
  if (from < to && to > t.first && from < t.last) setWindow(from, to);
  else setWindow(t.first, t.last);
  if (q.get('incident') && !incident) say('The incident of the link is not in this report: all are shown.', 20);
  else if (q.has('from') && !zoomed()) say('The time of the link is not in this report: the whole span is shown.', 20);
  t.section.scrollIntoView();
  return true;
}
