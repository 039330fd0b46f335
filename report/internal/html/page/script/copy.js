// Copying as Markdown, for a ticket. The answer as a whole is what volpost writes with -o md; a part is made of what the page shows.

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} is in the clipboard: ${text.split('\n').length} lines, ${text.length} characters.`);
  } catch {
    byHand(text, what); // the browser, or the sandbox that the page is shown in, does not allow it
  }
}

function byHand(text, what) {
  const area = make('textarea', {rows: 12, readonly: true, 'aria-label': what});
  area.value = text;
  const box = dialog(`${what}: copy it with Ctrl+C`, [area]);
  area.select();
  return box;
}

// One line of Markdown in which nothing is formatted, becomes HTML, a link, a mention or a reference: the rules are those of
// markdown_escape.go.
function prose(text) {
  const apart = '<!-- -->';
  return squeeze(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/[\\`*_[\]|~$]/g, '\\$&')
    .replace(/[@#]/g, '$&' + apart).replace(/(\b[a-z][a-z0-9+.-]*:|\bwww|\bgh)(\/\/|\.|-\d)/gi, '$1' + apart + '$2')
    .replace(/:([A-Za-z+_\\-]|[0-9]{3}|[0-9]+[A-Za-z+_\\-])/g, ':' + apart + '$1');
}

function fenced(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(m => m[0].length));
  const fence = '`'.repeat(longest + 1);
  return [fence, ...text.replace(/\n$/, '').split('\n'), fence];
}

// The visible words of a cell or paragraph, without drawings and buttons.
function wordsOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || node.matches('svg, .tool, .unseen, script')) return '';
  if (node.matches('br')) return ' ';
  const text = [...node.childNodes].map(wordsOf).join('');
  return node.matches('p, li, div, small, summary, b, span') ? ` ${text} ` : text;
}

const tableRow = cells => '| ' + cells.map(c => prose(wordsOf(c)) || ' ').join(' | ') + ' |';

function tableLines(table) {
  const keep = cell => !cell.matches('.bar');
  const head = [...table.tHead.rows[0].cells].filter(keep);
  const rows = [...table.tBodies].flatMap(b => [...b.rows]).filter(r => !r.hidden);
  return ['', tableRow(head), '|' + '---|'.repeat(head.length), ...rows.map(r => tableRow([...r.cells].filter(keep))), ''];
}

// A part of the page as lines of Markdown.
function markdown(node) {
  if (node.matches('svg, .tool, .unseen, script, caption, datalist')) return [];
  if (node.matches('h2, h3, h4, h5, h6')) return ['', '#'.repeat(Math.min(6, Number(node.tagName[1]) + 1)) + ' ' + prose(wordsOf(node)), ''];
  if (node.matches('table')) return node.tHead ? tableLines(node) : [];
  if (node.matches('pre')) return ['', ...fenced(node.textContent), ''];
  if (node.matches('p')) return ['', prose(wordsOf(node)), ''];
  if (node.matches('li')) return ['- ' + prose(wordsOf(node))];
  if (node.matches('dl')) return ['', ...[...node.children].map(d => '- ' + prose(wordsOf(find('dt', d))) + ': ' + all('dd', d).map(dd => prose(wordsOf(dd))).join(' ')), ''];
  return [...node.children].flatMap(markdown);
}

const paragraphs = lines => lines.filter((line, i) => line !== '' || lines[i - 1] !== '').join('\n').trim() + '\n';

function copyRows() {
  const t = timeline, rows = t.rows.filter(r => r.shown);
  const head = all('table.timeline', t.section)[0].tHead.rows[0].cells;
  copy(paragraphs([`Timeline, ${prose(t.count.textContent)} ${missing === 'date' ? '' : `T is counted from ${prose(stamp(t.zero))}.`}`, '', tableRow([...head]), '|' + '---|'.repeat(head.length),
    ...rows.map(r => tableRow([...r.tr.cells]))]), 'The timeline');
}

function startCopy() {
  const answer = data('#comment');
  const nav = find('main > nav ul');
  if (answer && nav) nav.append(make('li', {class: 'tool'}, button('Copy the answer', () => copy(answer, 'The answer'), {id: 'copy-answer'})));
  for (const pre of all('pre.command')) pre.before(make('p', {class: 'tool copy'}, button('copy', () => copy(pre.textContent, 'The command'), {'aria-label': 'Copy the command ' + pre.textContent})));
  for (const name of all('[data-copy]')) name.after(' ', button('copy', () => copy(name.dataset.copy, 'The name'), {'aria-label': 'Copy the name ' + name.dataset.copy}));
  for (const incident of all('details.incident')) {
    const what = 'Incident ' + numberOf(incident);
    find('summary', incident).after(make('p', {class: 'tool right'}, button(`Copy ${what.toLowerCase()} as Markdown`, () => copy(paragraphs(markdown(incident)), what))));
  }
}
