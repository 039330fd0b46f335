// The zone that times are shown in. The page has them in one zone, once each, so that the same words are only shifted.

const pageZone = document.body.dataset.zone ?? 'UTC', zone = {texts: []};

const known = name => { try { return clockOf(name); } catch { return null; } };

const clockOf = name => new Intl.DateTimeFormat('en', {timeZone: name, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3});

// The page's own clock; UTC where the browser does not know its zone.
zone.page = zone.format = known(pageZone) ?? clockOf('UTC');
zone.name = known(pageZone) ? pageZone : 'UTC';

const wallClock = /(?<![\d:.+−^-])(?:(\d{4}-\d\d-\d\d)([ T]))?(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(?!\d|:\d| [+-]\d{4})( UTC(?![+-]))?/g;

// The zone's name with its offsets, an offset alone, or UTC.
const zoneNamed = pageZone === 'UTC' ? /(?<![+-]\d{4} )\bUTC\b(?![+-]\d)/g : new RegExp(`${pageZone.replace('+', '\\+')}(?: \\(UTC[^)]*\\))?|(?<![+-]\\d{4} )\\bUTC(?:[+-]\\d\\d:\\d\\d)?(?![\\w:+-])`, 'g');

// inZone is an instant as the clock on the wall shows it: 2026-11-21T06:13:40.123.
function inZone(ms) {
  return missing ? new Date(ms).toISOString().slice(0, 23) : onWall(zone.format, ms);
}

function onWall(format, ms) {
  const p = Object.fromEntries(format.formatToParts(ms).map(({type, value}) => [type, value]));
  return `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}.${p.fractionalSecond}`;
}

// instantOf is when the page's own clock shows this. What its zone is east of UTC is looked up there, and there again beside a change.
function instantOf(text) {
  const shown = Date.parse(text + 'Z'), east = ms => Date.parse(onWall(zone.page, ms) + 'Z') - ms;
  return Number.isNaN(shown) ? shown : shown - east(shown - east(shown));
}

function shifted(text, axis) {
  const day = onWall(zone.page, zone.zero).slice(0, 10);
  return text.replace(wallClock, (all, date, between, h, m, s, rest, utc) => {
    if (!s && !axis) return all; // 12:30 alone may be anything
    const wall = `${date ?? day}T${h}:${m}:${s ?? '00'}`, ms = utc && pageZone !== 'UTC' ? Date.parse(wall + 'Z') : instantOf(wall);
    if (Number.isNaN(ms)) return all;
    const at = inZone(ms);
    return (date ? at.slice(0, 10) + between : '') + at.slice(11, s ? 19 : 16) + (rest ?? '') + (utc ?? '');
  }).replace(zoneNamed, zone.name);
}

// zoneTexts are the page's own words with a time. Quotes and commands stay as they are.
function zoneTexts() {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), out = [];
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement;
    if (!/\d\d:\d\d|UTC/.test(node.data) && !node.data.includes(pageZone) || parent.closest('pre, code, script, .quote, .tool, footer')) continue;
    out.push({node, text: node.data, axis: !!parent.closest('svg')});
  }
  return out;
}

function setZone(name) {
  if (!zone.texts.length) zone.texts = zoneTexts();
  zone.name = name;
  zone.format = clockOf(name);
  for (const t of zone.texts) t.node.data = name === pageZone ? t.text : shifted(t.text, t.axis);
  charts.forEach(drawChart);
}

function startZone() {
  zone.zero = Date.parse(document.getElementById('timeline')?.dataset.zero ?? '');
  if (missing || Number.isNaN(zone.zero) || !known(pageZone)) return;
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone, own = (document.body.dataset.zones ?? '').split(' ').filter(Boolean);
  const names = [...new Set([pageZone, 'UTC', ...own, local])].filter(known);
  const choice = make('select', {id: 'zone-choice', 'aria-label': 'Zone of all times', onchange: () => setZone(choice.value)},
    names.map(n => make('option', {value: n}, n === pageZone || n === 'UTC' ? n : n === local ? `local, ${n}` : own.includes(n) ? `the bundle’s, ${n}` : n)));
  find('main > nav ul').append(make('li', {class: 'tool'}, choice));
}
