// Keys. Single letters can be switched off in the list of keys, for those whose speech input types them (WCAG 2.2, 2.1.4).

const keys = {on: true};

const keyList = [
  ['?', 'this list', () => showKeys()],
  ['v', 'the verdict', () => goToPart('verdict')],
  ['n', 'next incident', () => goToIncident(1)],
  ['p', 'previous incident', () => goToIncident(-1)],
  ['t', 'the timeline', () => goToPart('timeline')],
  ['/', 'filter the timeline', () => { goToPart('timeline'); timeline.search?.focus({preventScroll: true}); }],
  ['+', 'zoom the chart in', () => charts.length && zoomKey(chartInView(), '+')],
  ['-', 'zoom it out', () => charts.length && zoomKey(chartInView(), '-')],
  ['0', 'its whole span', () => charts.length && zoomKey(chartInView(), '0')],
  ['s', 'the clock: the objects at an instant', () => { const slider = chartInView()?.range; if (slider) { reveal(slider); slider.focus(); } }],
  ['g', 'gaps and problems', () => goToPart('gaps')],
  ['e', 'the evidence', () => goToPart('evidence')],
  ['c', 'copy the answer as Markdown', () => find('#copy-answer')?.click()],
];

const moreKeys = [
  ['Tab, Enter', 'to a mark such as [E12], and to its quote; the quote links back'],
  ['← →', 'in the chart and at the clock: previous, next change; with Shift: earlier, later'],
  ['Ctrl + wheel', 'over the chart or the graph: zoom; two fingers do, too'],
  ['+ − 0, arrows', 'in the graph: zoom, the whole, move'],
  ['Page ↑ ↓', 'at the clock: previous, next phase'],
  ['Esc', 'closes a detail or this list'],
];

function goToPart(id) {
  const part = document.getElementById(id);
  if (!part) return;
  if (!part.hasAttribute('tabindex')) part.setAttribute('tabindex', '-1');
  reveal(part);
  part.focus({preventScroll: true});
}

function goToIncident(step) {
  const list = all('details.incident'), middle = innerHeight / 3;
  const here = list.findLastIndex(d => d.getBoundingClientRect().top < middle);
  const next = list[Math.max(0, Math.min(list.length - 1, here + step))];
  if (!next) return;
  reveal(next);
  find('summary', next).focus({preventScroll: true});
}

// A box on top of the page. The browser keeps the focus in it, and gives it back.
function dialog(title, children) {
  const box = make('dialog', {class: 'tool', 'aria-labelledby': 'dialog-title', onclose: () => box.remove()}, make('h2', {id: 'dialog-title'}, title), children, button('Close', () => box.close()));
  document.body.append(box);
  box.showModal();
  return box;
}

function showKeys() {
  if (find('dialog[open]')) return;
  const onOff = make('input', {type: 'checkbox', onchange: () => { keys.on = onOff.checked; }});
  onOff.checked = keys.on;
  dialog('Keys', [make('table', {}, make('tbody', {}, [...keyList, ...moreKeys].map(([key, what]) => make('tr', {}, make('th', {scope: 'row'}, make('kbd', {}, key)), make('td', {}, what))))),
    make('p', {}, make('label', {}, onOff, ' Single keys are on (Tab, Enter, arrows and Esc always are)'))]);
}

function startKeys() {
  find('main > nav ul')?.append(make('li', {class: 'tool'}, button('Keys (?)', showKeys)));
  document.addEventListener('keydown', e => {
    if (e.key === 'Escape') hideTip();
    if (!keys.on || e.ctrlKey || e.metaKey || e.altKey || e.isComposing || find('dialog[open]')) return;
    if (e.target.closest?.('input:not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]')) return;
    const found = keyList.find(([key]) => key === e.key);
    if (!found) return;
    e.preventDefault();
    found[2]();
  });
}
