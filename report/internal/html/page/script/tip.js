// Detail at the pointer or the focus: the quote behind a mark such as [E12], the observation behind a dot. It stays while the
// pointer is on it, and Escape closes it (WCAG 2.2, 1.4.13).

const tip = make('div', {id: 'tip', class: 'tip tool', role: 'tooltip', hidden: true});
let tipOwner = null, tipTimer = 0;

function showTip(owner, lines, x, y) {
  clearTimeout(tipTimer);
  hideTip();
  tip.replaceChildren(...lines.filter(Boolean).map((line, i) => make(i === 0 ? 'b' : 'span', {}, line)));
  tip.hidden = false;
  tipOwner = owner;
  owner.setAttribute?.('aria-describedby', 'tip');
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x, innerWidth - box.width - 4)) + 'px';
  tip.style.top = (y + box.height + 12 < innerHeight ? y + 12 : Math.max(4, y - box.height - 12)) + 'px';
}

function hideTip() {
  clearTimeout(tipTimer);
  tip.hidden = true;
  tipOwner?.removeAttribute?.('aria-describedby');
  tipOwner = null;
}

const hideTipSoon = () => { clearTimeout(tipTimer); tipTimer = setTimeout(hideTip, 250); };

// The quote that a link leads to: its place, and how it begins.
function quoteOf(link) {
  const quote = document.getElementById(named(link.getAttribute('href')));
  if (!quote?.matches('.quote')) return null;
  const text = find('pre', quote)?.textContent ?? '';
  const file = find('h3', quote.closest('.file') ?? quote)?.textContent ?? '';
  return [squeeze(`${file} ${find('p', quote)?.textContent ?? ''}`), text.length > 400 ? text.slice(0, 400) + '…' : text];
}

function startTips() {
  const over = link => {
    const lines = quoteOf(link);
    if (!lines) return;
    const box = link.getBoundingClientRect();
    showTip(link, lines, box.left, box.bottom - 6);
  };
  document.addEventListener('pointerover', e => {
    const link = e.target.closest?.('a.cite');
    if (link && link !== tipOwner) { clearTimeout(tipTimer); tipTimer = setTimeout(over, 150, link); }
    if (tip.contains(e.target)) clearTimeout(tipTimer);
  });
  document.addEventListener('pointerout', e => { if (e.target.closest?.('a.cite, .tip')) hideTipSoon(); });
  document.addEventListener('focusin', e => { if (e.target.matches?.('a.cite:focus-visible')) over(e.target); });
  document.addEventListener('focusout', e => { if (e.target === tipOwner) hideTip(); });
  addEventListener('scroll', () => { if (tipOwner?.matches?.('a.cite') && document.activeElement !== tipOwner) hideTip(); }, {passive: true});
}
