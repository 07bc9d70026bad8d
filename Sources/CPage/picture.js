
// The picture: a canvas that is drawn anew for each change of the view.

const FONT = '11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
const STATE = {
  active: 'active', foregroundActive: 'active', inactive: 'inactive', foregroundInactive: 'inactive',
  background: 'background', suspended: 'suspended',
};
let canvas, pen, map, mapPen, density, hatch, flags = [], isAsked = false;
const colors = new Map();

// A color of the style sheet, which knows light and dark.
function color(name) {
  if (!colors.has(name)) {
    const style = getComputedStyle(document.documentElement);
    colors.set(name, style.getPropertyValue(`--${name}`).trim());
  }
  return colors.get(name);
}

function changed() {
  keepLink();
  redraw();
}

function redraw() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => { isAsked = false; draw(); });
}

function resize() {
  density = devicePixelRatio || 1;
  view.width = canvas.clientWidth || 1;
  canvas.style.height = `${pictureHeight}px`;
  for (const [sheet, height] of [[canvas, pictureHeight], [map, 32]]) {
    sheet.width = Math.round(sheet.clientWidth * density);
    sheet.height = Math.round(height * density);
  }
  colors.clear();
  hatch = hatchPattern();
  overview = null;
  redraw();
}

function hatchPattern() {
  const tile = make('canvas');
  tile.width = tile.height = 8;
  const lines = tile.getContext('2d');
  lines.strokeStyle = color('soft');
  lines.globalAlpha = 0.4;
  lines.stroke(new Path2D('M0 8L8 0M-1 1L1 -1M7 9L9 7'));
  return pen.createPattern(tile, 'repeat');
}

function draw() {
  pen.setTransform(density, 0, 0, density, 0, 0);
  pen.clearRect(0, 0, view.width, pictureHeight);
  pen.font = FONT;
  pen.textBaseline = 'middle';
  const seen = [instantAtX(0), instantAtX(view.width)];
  drawWash(seen);
  drawRuler(seen);
  for (const row of rows) if (row.isShown) drawRow(row, seen);
  limits.forEach(drawLimit);
  if (view.isQuiet) drawVeil(seen);
  data.marks.forEach(drawMark);
  drawEvidence();
  drawFlags();
  drawHits();
  drawCursor();
  drawMap();
}

function bar(name, x, y, width, height, opacity = 1) {
  pen.globalAlpha = opacity;
  pen.fillStyle = name === 'hatch' ? hatch : color(name);
  pen.fillRect(x, y, width, height);
  pen.globalAlpha = 1;
}

function fill(path, name) {
  pen.fillStyle = color(name);
  pen.fill(new Path2D(path));
}

function stroke(path, name, width = 1, dashes = []) {
  pen.strokeStyle = color(name);
  pen.lineWidth = width;
  pen.setLineDash(dashes);
  pen.stroke(new Path2D(path));
  pen.setLineDash([]);
}

function write(text, x, y, name, align = 'left') {
  pen.fillStyle = color(name);
  pen.textAlign = align;
  pen.fillText(text, x, y);
}

const widthOf = (text) => pen.measureText(text).width;

// A circle as a path says it.
const disc = (x, y, radius) =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0z`;

// Calls `paint` with each interval that is seen, and with each pile of those that share a pixel.
function eachSeen(row, [from, to], paint) {
  for (let place = firstEnding(row, from); place < row.size;) {
    const begin = beginOf(row, place);
    if (begin > to) break;
    const left = xOf(begin), right = xOf(endOf(row, place));
    let next = place + 1;
    if (right - left < 1) {
      next = Math.max(next, firstEnding(row, instantAtX(Math.floor(left) + 1), next));
    }
    paint(place, left, right, next);
    place = next;
  }
}

// What the app was, behind all lanes; hatched where nothing ran, or nothing is known.
function drawWash(seen) {
  const height = pictureHeight - RULER;
  if (app) {
    eachSeen(app, seen, (place, left, right) => {
      const state = STATE[wordOf(app, place)];
      if (state !== 'active') bar(`wash-${state}`, left, RULER, Math.max(right - left, 0.5), height);
    });
  }
  for (const [from, to] of data.gaps) drawHatch(xOf(from), xOf(to));
  for (const row of rows.filter(({ lane, end }) => lane.group === 'system' && end)) {
    eachSeen(row, seen, (place, left, right) => {
      if (wordOf(row, place) === 'suspended') drawHatch(left, right);
    });
  }
}

function drawHatch(left, right) {
  const from = Math.max(0, left), width = Math.min(view.width, right) - from;
  if (width >= 0) bar('hatch', from, RULER, Math.max(width, 1), pictureHeight - RULER);
}

// Fades the time in which the app was active.
function drawVeil(seen) {
  if (!app) return;
  eachSeen(app, seen, (place, left, right) => {
    if (STATE[wordOf(app, place)] !== 'active') return;
    bar('ground', left, RULER, right - left, pictureHeight - RULER, 0.82);
  });
}

// MARK: The ruler

function drawRuler(seen) {
  bar('line', 0, RULER - 0.5, view.width, 1);
  if (view.axis === 'clock') return drawScale(seen);
  drawGaps();
  drawTurns(seen);
}

function drawScale([from, to]) {
  const least = (to - from) / (view.width / 110), power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least);
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
    const x = xOf(time), text = scaleText(Math.round(time), step);
    bar('soft', x, RULER - 8, 1, 8);
    write(text, inside(x, widthOf(text) / 2), RULER - 18, 'soft', 'center');
  }
}

// So that what reaches so far to both sides is seen.
const inside = (x, half) => Math.max(half, Math.min(view.width - half, x));

const scaleText = (time, step) =>
  `${+(time / 1e9).toFixed(Math.max(0, 9 - Math.floor(Math.log10(Math.max(1, step)))))}s`;

// How long it is from knot to knot, where there is room to say it.
function drawGaps() {
  const y = RULER - 12, { instant, place } = knots;
  let i = Math.max(1, lowest(place, view.from));
  for (; i < instant.length && place[i - 1] <= view.to; i++) {
    const left = Math.max(0, xOf(instant[i - 1])), right = Math.min(view.width, xOf(instant[i]));
    bar('soft', right, RULER - 4, 1, 4);
    if (right - left < 26) continue;
    const text = spanText(instant[i] - instant[i - 1]), room = widthOf(text);
    if (right - left < room + 6) continue;
    write(text, (left + right) / 2, y, 'soft', 'center');
    const length = (right - left - room) / 2 - 9;
    if (length < 6) continue;
    const arrow = (x, way) => `M${x} ${y - 3}l${-4 * way} 3l${4 * way} 3m${-4 * way}-3h${length * way}`;
    stroke(arrow(left + 7, 1) + arrow(right - 7, -1), 'soft', 0.6);
  }
}

// The instants of the app's turns, the last ones first: as many as have room.
function drawTurns([from, to]) {
  const turns = data.marks.map(([event]) => data.time[event]);
  if (app) {
    for (let place = firstBeginning(app, to + 1) - 1; place >= 0 && beginOf(app, place) >= from;) {
      turns.push(beginOf(app, place));
      const left = instantAtX(xOf(beginOf(app, place)) - 20);
      place = Math.min(place, firstBeginning(app, left)) - 1;
    }
  }
  turns.push(first, first + extent);
  let free = view.width;
  for (const time of turns.sort((a, b) => b - a)) {
    const text = instantText(time), half = widthOf(text) / 2, x = xOf(time), center = inside(x, half);
    if (x < -1 || x > view.width + 1 || center + half > free) continue;
    write(text, center, 29, 'ink', 'center');
    free = center - half - 10;
  }
}

// MARK: Rows

function drawRow(row, seen) {
  if (row.place === 0) bar('line', 0, row.y - 3.5, view.width, 0.5);
  if (row.lane.kind === 'count') drawCounter(row, seen);
  else if (!row.end) drawTicks(row, seen);
  else eachSeen(row, seen, (...interval) => drawInterval(row, ...interval));
}

function drawInterval(row, place, left, right, next) {
  const { y, height, lane } = row;
  const name = lane.kind === 'band' ? STATE[wordOf(row, place)] ?? 'system' : lane.group;
  const isDead = isCut(row, place);
  if (right - left < 1) {
    const many = next - place > 1, x = Math.floor(left);
    return bar(name, x, y, many || !isDead ? 1 : 2, height, many ? share(row, place, next, x) : 1);
  }
  const from = Math.max(left, -4), to = Math.min(right, view.width + 4);
  bar(name, from, y, Math.max(1, to - from - (right - left > 4 ? 1 : 0)), height);
  if (isDead && right < view.width + 4) bar('error', to - 3, y - 1, 3, height + 2);
  drawWord(row, place, Math.max(from, 0), to - (isDead ? 3 : 0), name);
}

// How much of a pixel its intervals cover: else a million of them are one solid bar.
function share(row, place, next, x) {
  if (row.lane.kind === 'band') return 1;
  if (!row.sums) {
    row.sums = new Float64Array(row.size + 1);
    for (let i = 0; i < row.size; i++) {
      row.sums[i + 1] = row.sums[i] + endOf(row, i) - beginOf(row, i);
    }
  }
  const pixel = instantAtX(x + 1) - instantAtX(x);
  return Math.max(0.25, Math.min(1, (row.sums[next] - row.sums[place]) / Math.max(1, pixel)));
}

function drawWord(row, place, left, right, name) {
  const room = right - left - 10;
  if (room < 20) return;
  let text = shortWord(wordOf(row, place));
  const width = widthOf(text);
  if (width > room) text = `${text.slice(0, Math.floor(text.length * room / width) - 1)}…`;
  if (text.length < 4 && width > room) return;
  write(text, left + 5, middleOf(row) + 0.5, name === 'inactive' ? 'on-inactive' : 'on-fill');
}

// Whether a state of the app is known, and is not active.
const isAway = (state) => state !== '' && STATE[state] !== 'active';

// Work while the app is not active is red.
function drawTicks(row, [from, to]) {
  const isWork = row.lane.group === 'work';
  for (let place = firstBeginning(row, from); place < row.size;) {
    const time = beginOf(row, place);
    if (time > to) break;
    const x = Math.floor(xOf(time));
    const next = Math.max(place + 1, firstBeginning(row, instantAtX(x + 1), place + 1));
    const height = Math.min(row.height, 6 + 2 * Math.log2(next - place));
    const isLate = isWork && [place, next - 1].some((one) => isAway(stateAfter(row.begin[one])));
    bar(isLate ? 'error' : row.lane.kind === 'span' ? 'ink' : row.lane.group, x, row.y + row.height - height, 1.6, height);
    place = next;
  }
}

function drawCounter(row, [from, to]) {
  const value = (place) => data.value(row.begin[place]) ?? 0;
  if (row.most === undefined) {
    row.most = 1;
    for (let i = 0; i < row.size; i++) row.most = Math.max(row.most, value(i));
  }
  const bottom = row.y + row.height;
  let path = '', place = Math.max(0, firstBeginning(row, from) - 1);
  while (place < row.size && beginOf(row, place) <= to) {
    const x = xOf(beginOf(row, place)), y = bottom - value(place) / row.most * (row.height - 12);
    path += path ? `H${x}V${y}` : `M${x} ${y}`;
    place = Math.max(place + 1, firstBeginning(row, instantAtX(Math.floor(x) + 1), place + 1));
  }
  if (path) stroke(`${path}H${view.width}`, 'counter', 1.4);
  write(`up to ${quantity(row.most)}`, 4, row.y + 5, 'soft');
}

function quantity(number) {
  const [scale, unit] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']].find(([size]) => number >= 10 * size) ?? [1, ''];
  return `${+(number / scale).toPrecision(4)}${unit}`;
}

// A dotted bar as long as the limit allows, with a post at its end.
function drawLimit({ row, from, until }) {
  if (!row.isShown) return;
  const left = xOf(from), right = xOf(until);
  if (right < 0 || left > view.width) return;
  const start = Math.max(left, -4), width = Math.max(2, Math.min(right, view.width + 4) - start);
  stroke(`M${start + 0.5} ${row.y - 1.5}h${width}v${row.height + 3}h${-width}z`, 'ink', 1, [2, 2]);
  bar('ink', right - 1, row.y - 4, 2, row.height + 8);
}

// MARK: Over all lanes

// The end of a process, or a loss of events.
function drawMark([event, name, text]) {
  const x = xOf(data.time[event]);
  if (x < -9 || x > view.width + 9) return;
  const bottom = pictureHeight - 9, width = widthOf(text) + 8;
  bar(name, x - 1, RULER, 2, bottom - RULER);
  const left = x + width + 8 > view.width ? x - width - 8 : x + 8;
  bar('ground', left, bottom - 8, width, 16, 0.9);
  write(text, left + 4, bottom, name);
  fill(`M${x - 5} ${bottom - 4}h10l-5 9z`, name);
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
    let x = Math.max(9, Math.min(view.width - 9, at));
    while (flags.some((flag) => Math.abs(flag.x - x) < 18)) x -= 18;
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
  for (const witness of finding.witnesses) points.push(pointOf(witness, points));
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

// What is missing stands at its deadline, else before what it should have come before.
function pointOf(witness, points) {
  const { event, role, until, after, before } = witness, near = points.map(({ row }) => row);
  if (event !== undefined) {
    const row = rowOf(event, near);
    return { x: xOf(data.time[event]), y: middleOf(row), row, role };
  }
  const due = until ?? (before === undefined ? undefined : data.time[before]);
  const x = due === undefined ? view.width - 9 : xOf(due) - (until === undefined ? 15 : 0);
  const row = after === undefined ? near.at(-1) : rowOf(after, near);
  return { x, y: middleOf(row), row, role };
}

function drawWitness({ x, y, role }, name) {
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
    const x = Math.floor(xOf(data.time[event]));
    if (x === last || x < 0 || x > view.width) continue;
    last = x;
    bar('focus', x, RULER - 7, 2, 7);
  }
}

function drawCursor() {
  const x = xOf(data.time[cursor.event]);
  bar('focus', x - 0.75, RULER - 4, 1.5, pictureHeight);
  fill(`M${x - 5} ${RULER - 7}h10l-5 7z`, 'focus');
  if (cursor.pointer !== null) bar('soft', cursor.pointer, RULER, 1, pictureHeight, 0.5);
}

// MARK: The map of the whole below it

let overview = null;

function drawMap() {
  const key = `${map.width} ${view.axis} ${color('ground')}`;
  if (overview?.key !== key) overview = { key, sheet: drawnOverview() };
  const width = map.width / density, { from, to } = view;
  mapPen.setTransform(density, 0, 0, density, 0, 0);
  mapPen.clearRect(0, 0, width, 32);
  mapPen.drawImage(overview.sheet, 0, 0, width, 32);
  if (isWhole()) return;
  mapPen.fillStyle = color('ground');
  mapPen.globalAlpha = 0.65;
  mapPen.fillRect(0, 0, from * width, 32);
  mapPen.fillRect(to * width, 0, width, 32);
  mapPen.globalAlpha = 1;
  mapPen.strokeStyle = color('focus');
  mapPen.lineWidth = 2;
  mapPen.strokeRect(from * width + 1, 1, Math.max(3, (to - from) * width - 2), 30);
}

// The app's states, how many events there are, and where the findings lie.
function drawnOverview() {
  const sheet = make('canvas'), width = map.width / density;
  sheet.width = map.width;
  sheet.height = map.height;
  const paper = sheet.getContext('2d');
  paper.scale(density, density);
  for (let place = 0; app && place < app.size;) {
    const left = placeOf(beginOf(app, place)) * width, right = placeOf(endOf(app, place)) * width;
    paper.fillStyle = color(STATE[wordOf(app, place)] ?? 'system');
    paper.fillRect(left, 24, Math.max(1, right - left), 8);
    const next = instantAt((Math.floor(left) + 1) / width);
    place = right - left < 1 ? Math.max(place + 1, firstEnding(app, next, place + 1)) : place + 1;
  }
  drawCounts(paper, width);
  for (const finding of data.findings) {
    const event = eventOf(finding);
    if (event === undefined) continue;
    paper.fillStyle = color(finding.severity);
    paper.fillRect(placeOf(data.time[event]) * width - 1, 0, 2.5, 23);
  }
  return sheet;
}

function drawCounts(paper, width) {
  const counts = [];
  for (let x = 0, before = 0; x < width; x++) {
    const until = lowest(data.time, instantAt((x + 1) / width), before);
    counts.push(until - before);
    before = until;
  }
  const most = Math.log2(1 + counts.reduce((a, b) => Math.max(a, b), 1));
  paper.fillStyle = color('soft');
  counts.forEach((count, x) => {
    const height = count && 3 + 17 * Math.log2(1 + count) / most;
    paper.fillRect(x, 23 - height, 1, height);
  });
}
