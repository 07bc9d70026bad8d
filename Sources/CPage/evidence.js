
// What stands over all lanes: ends and gaps, the findings and their evidence, hits, the cursor.

// The ends of processes that are alike, or losses of events: a line for each, or where they would be a wall a strip
// that is darker where they are many.
function drawMarks({ color: name, text, count, times }) {
  const bottom = pictureHeight - 9, piles = [], to = instantAtX(view.width + 9);
  for (let i = lowest(times, instantAtX(-9)); times[i] <= to;) {
    const x = xOf(times[i]), next = max(i + 1, lowestNear(times, endOfColumn(x), i));
    piles.push([x, next - i]);
    i = next;
  }
  if (!piles.length) return;
  const isWall = piles.length > 9 && piles.length * 25 > piles.at(-1)[0] - piles[0][0];
  for (const [x, size] of piles) {
    if (isWall) bar(name, floor(x), bottom - 5, 1, 10, min(1, 0.4 + log2(size) / 8));
    else {
      bar(name, x - 1, RULER, 2, bottom - RULER);
      fill(`M${x - 5} ${bottom - 4}h10l-5 9z`, name);
    }
  }
  const x = piles.at(-1)[0], label = count > 1 ? `${format(count)} × ${text}` : text, width = widthOf(label) + 8;
  const left = x + width + 8 > view.width ? x - width - 8 : x + 8;
  bar('ground', left, bottom - 8, width, 16, 0.9);
  write(label, left + 4, bottom, name);
}

const eventOf = (finding) =>
  (finding.witnesses.find((witness) => witness.role === 'culprit' && witness.event !== undefined)
    ?? finding.witnesses.find((witness) => witness.event !== undefined))?.event;

// A numbered flag for each finding, the first ones where they lie too close.
function drawFlags() {
  flags = [];
  data.findings.forEach((finding, index) => {
    const event = eventOf(finding);
    if (event === undefined) return;
    const at = xOf(data.time[event]);
    if (at < -8 || at > view.width + 8) return;
    let x = max(9, min(view.width - 9, at));
    while (flags.some((flag) => abs(flag.x - x) < 18)) x -= 18;
    if (x > 0 && at - x < 60) flags.push({ x, index });
  });
  pen.font = `bold ${FONT}`;
  for (const { x, index } of flags) {
    fill(disc(x, 10, 8), data.findings[index].severity);
    if (index === cursor.finding) stroke(disc(x, 10, 10), 'focus', 2);
    write(index + 1, x, 10.5, 'ground', 'center');
  }
  pen.font = FONT;
}

// A curve through the witnesses of the finding that is chosen.
function drawEvidence() {
  const finding = data.findings[cursor.finding];
  if (!finding) return;
  const points = [];
  let curve = '';
  for (const witness of finding.witnesses) if (isHere(witness)) points.push(pointOf(witness, points));
  points.slice(1).forEach(({ x, y, row }, i) => {
    const before = points[i], middle = (before.x + x) / 2;
    // In one row the bar itself leads from one to the other.
    if (row && row === before.row) return;
    curve += `M${before.x} ${before.y}C${middle} ${before.y} ${middle} ${y} ${x} ${y}`;
  });
  stroke(curve, 'ground', 4);
  stroke(curve, finding.severity, 1.8);
  for (const point of points) drawWitness(point, finding.severity);
}

// Whether it lies in the part of the run that the page draws.
const isInPart = (instant) => instant >= first && instant <= first + extent;
const isHere = ({ event, role, until }) => event !== undefined || role === 'missing' && isInPart(until ?? first);

// What is missing stands at its deadline, else before what it should have come before.
function pointOf(witness, points) {
  const { event, role, until, after, before } = witness, near = points.map(({ row }) => row);
  if (event !== undefined) {
    const row = rowOf(event, near);
    return { x: xOf(data.time[event]), y: middleOf(row), row, role };
  }
  const due = until ?? (before === undefined ? undefined : data.time[before]);
  const x = due === undefined ? view.width - 9 : xOf(due) - (until === undefined && xOf(due) > 24 ? 15 : 0);
  const row = after === undefined ? near.at(-1) : rowOf(after, near);
  return { x, y: middleOf(row), row, role };
}

function drawWitness({ x, y, role }, name) {
  explain(role);
  if (role === 'culprit') {
    const diamond = `M${x} ${y - 8}l8 8l-8 8l-8-8z`;
    fill(diamond, name);
    return stroke(diamond, 'ground', 1.5);
  }
  const isMissing = role === 'missing';
  const shape = role === 'closes' ? `M${x - 4.5} ${y - 4.5}h9v9h-9z` : disc(x, y, isMissing ? 7.5 : 5.5);
  fill(shape, 'ground');
  stroke(shape, name, 2, isMissing ? [2.5, 2] : []);
  if (isMissing) write('?', x, y + 0.5, name, 'center');
}

function drawHits() {
  let last = -1;
  for (const event of search.hits ?? []) {
    const x = floor(xOf(data.time[event]));
    if (x === last || x < 0 || x > view.width) continue;
    last = x;
    explain('hit');
    bar('focus', x, RULER - 7, 2, 7);
    bar('focus', x, RULER, 2, pictureHeight - RULER, 0.4);
  }
}

function drawCursor() {
  const x = xOf(cursor.time);
  bar('focus', x - 0.75, RULER - 4, 1.5, pictureHeight);
  fill(`M${x - 5} ${RULER - 7}h10l-5 7z`, 'focus');
  if (cursor.pointer !== null) bar('soft', cursor.pointer, RULER, 1, pictureHeight, 0.5);
}
