// The zone that times are shown in. The page has them in UTC, once each and without a zone, so that the same words are only shifted.

const zone = {name: 'UTC', texts: []};

const wallClock = /(?<![\d:.+−^-])(?:(\d{4}-\d\d-\d\d)([ T]))?(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(?![\d:])/g;

// inZone is an instant as the clock on the wall shows it: 2026-11-21T06:13:40.123.
function inZone(ms) {
  if (zone.name === 'UTC' || missing) return new Date(ms).toISOString().slice(0, 23);
  const p = Object.fromEntries(zone.format.formatToParts(ms).map(({type, value}) => [type, value]));
  return `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}.${p.fractionalSecond}`;
}

function shifted(text, axis) {
  const day = new Date(zone.zero).toISOString().slice(0, 10);
  return text.replace(wallClock, (all, date, between, h, m, s, rest) => {
    if (!s && !axis) return all; // 12:30 alone may be anything
    const ms = Date.parse(`${date ?? day}T${h}:${m}:${s ?? '00'}Z`);
    if (Number.isNaN(ms)) return all;
    const at = inZone(ms);
    return (date ? at.slice(0, 10) + between : '') + at.slice(11, s ? 19 : 16) + (rest ?? '');
  }).replace(/\bUTC\b/g, zone.name);
}

// zoneTexts are the page's own words with a time. Quotes and commands stay as they are.
function zoneTexts() {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), out = [];
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement;
    if (!/\d\d:\d\d|UTC/.test(node.data) || parent.closest('pre, code, script, .quote, .tool, .zoned, footer')) continue;
    out.push({node, text: node.data, axis: !!parent.closest('svg')});
  }
  return out;
}

function setZone(name) {
  if (!zone.texts.length) zone.texts = zoneTexts();
  zone.name = name;
  zone.format = new Intl.DateTimeFormat('en', {timeZone: name, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3});
  for (const t of zone.texts) t.node.data = name === 'UTC' ? t.text : shifted(t.text, t.axis);
  charts.forEach(drawChart);
}

function known(name) {
  try {
    return !!new Intl.DateTimeFormat('en', {timeZone: name});
  } catch {
    return false;
  }
}

function startZone() {
  zone.zero = Date.parse(document.getElementById('timeline')?.dataset.zero ?? '');
  if (missing || Number.isNaN(zone.zero)) return;
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone, own = (document.body.dataset.zones ?? '').split(' ').filter(Boolean);
  const names = [...new Set(['UTC', ...own, local])].filter(known);
  const choice = make('select', {id: 'zone-choice', 'aria-label': 'Zone of all times', onchange: () => setZone(choice.value)},
    names.map(n => make('option', {value: n}, n === local && n !== 'UTC' ? `local, ${n}` : own.includes(n) ? `the bundle’s, ${n}` : n)));
  find('main > nav ul').append(make('li', {class: 'tool'}, choice));
  if (document.body.dataset.zone && names.includes(own[0])) { choice.value = own[0]; setZone(own[0]); } // it was asked for
}
