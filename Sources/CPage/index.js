// The page about many logs: search, filter by release, sort.
const $ = (id) => document.getElementById(id);
const rows = [...document.querySelectorAll('#issues tbody tr')];
const query = $('query'), release = $('release'), hits = $('hits');
const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));

function show() {
  const words = query.value.toLowerCase().split(' ').filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const isOfRelease = !release || !release.value || row.dataset.releases.split(' | ').includes(release.value);
    row.hidden = !isOfRelease || !words.every((word) => texts.get(row).includes(word));
    if (!row.hidden) shown += 1;
  }
  hits.textContent = shown < rows.length ? shown + ' of ' + rows.length : '';
}

// The first press shows the largest first, the next one turns the order round.
function sort(button) {
  const head = button.closest('th');
  const descends = head.ariaSort !== 'descending';
  for (const other of head.parentNode.children) other.ariaSort = null;
  head.ariaSort = descends ? 'descending' : 'ascending';
  const value = (row) => Number(row.children[head.cellIndex].dataset.value);
  const sorted = [...rows].sort((a, b) => descends ? value(b) - value(a) : value(a) - value(b));
  rows[0].parentNode.append(...sorted);
}

document.body.dataset.ready = rows.length;
if (rows.length) {
  query.oninput = show;
  if (release) release.onchange = show;
  for (const button of document.querySelectorAll('#issues th button')) button.onclick = () => sort(button);
  document.onkeydown = (event) => {
    if (event.key === '/' && document.activeElement !== query) {
      event.preventDefault();
      query.focus();
    }
  };
  }
