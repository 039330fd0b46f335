// What nothing tells of the report's times: their year, their whole date, or nothing of the kind.
const missing = document.body.dataset.missing;

// Making elements. Text goes in as text, whatever it holds: nothing that the bundle says is ever parsed as markup.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter(c => c !== null && c !== undefined));
  return node;
}

const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const button = (text, onclick, attributes) => make('button', {type: 'button', class: 'tool', onclick, ...attributes}, text);

const find = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const squeeze = text => text.replace(/\s+/g, ' ').trim();

// What has just been done, for those who see and those who hear the page.
const notice = make('p', {class: 'notice tool', role: 'status', hidden: true});
let noticeTimer = 0;
function say(text, seconds = 6) {
  notice.hidden = false;
  notice.textContent = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { notice.hidden = true; notice.textContent = ''; }, seconds * 1000);
}

// Data that the page carries for this script.
function data(selector, from = document) {
  const node = find(selector, from);
  return node ? JSON.parse(node.textContent) : null;
}

// Milliseconds from zero, as the report writes offsets: T+03:12.4.
function offset(ms) {
  if (missing === 'date') return distance(ms);
  const tenths = Math.round(Math.abs(ms) / 100), pad = n => String(n).padStart(2, '0');
  const s = Math.floor(tenths / 10), h = Math.floor(s / 3600);
  return 'T' + (ms < 0 && tenths > 0 ? '−' : '+') + (h ? h + ':' : '') + pad(Math.floor(s / 60) % 60) + ':' + pad(s % 60) + '.' + tenths % 10;
}

// Where nothing is dated every time is a distance, as the report writes it: T+3m12s.
function distance(ms) {
  const tenths = Math.round(Math.abs(ms) / 100), sign = 'T' + (ms < 0 && tenths > 0 ? '−' : '+');
  if (tenths < 100) return sign + tenths / 10 + 's';
  const s = Math.round(Math.abs(ms) / 1000), h = Math.floor(s / 3600) % 24, m = Math.floor(s / 60) % 60, d = Math.floor(s / 86400);
  return sign + (d ? d + 'd' : '') + (d || h ? h + 'h' : '') + (d || h || m ? m + 'm' : '') + (d ? '' : s % 60 + 's');
}

const utc = ms => inZone(ms).replace('T', ' ') + ' ' + zone.name;

// An instant of the page, as far as its date is known.
const stamp = ms => missing === 'date' ? distance(ms) : missing === 'year' ? utc(ms).slice(11, 23) : utc(ms);
