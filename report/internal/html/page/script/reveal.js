// Links into the page. Identifiers are made of what they name, so that a link of last week's report leads to the same in this
// week's; where it leads nowhere any more, the page says so instead of showing its top.

function reveal(target) {
  for (let d = target.closest('details'); d; d = d.parentElement?.closest('details')) d.open = true;
  const fold = find(':scope > details.fold', target);
  if (fold) fold.open = true;
  const row = target.closest('tr[hidden]');
  if (row) showAllRows();
  target.scrollIntoView({block: target.matches('.incident, section') ? 'start' : 'center'});
}

function named(hash) {
  try {
    return decodeURIComponent(hash.replace(/^#/, ''));
  } catch {
    return '';
  }
}

function followHash() {
  const name = named(location.hash);
  if (!name || viewFrom(name)) return;
  const target = document.getElementById(name);
  if (target) reveal(target);
  else say(`The link leads to “${name.slice(0, 80)}”, which this report does not have: it may be of another bundle, or its claim has changed.`, 20);
}

function startLinks() {
  addEventListener('hashchange', followHash);
  // A second click on the link that is already followed leads there again.
  document.addEventListener('click', e => {
    const a = e.target.closest?.('a[href^="#"]');
    if (a && a.getAttribute('href') === location.hash) followHash();
  });
  followHash();
}
