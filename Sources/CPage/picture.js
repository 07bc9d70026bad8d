
// The picture: a canvas that is drawn anew for each change of the view.

const FONT = '11px system-ui, sans-serif';
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

// The legend names the marks that the picture has had.
const explained = new Set();
function explain(mark) {
  if (explained.has(mark)) return;
  explained.add(mark);
  document.querySelector(`#legend .${mark}`).hidden = false;
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
    sheet.width = round(sheet.clientWidth * density);
    sheet.height = round(height * density);
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
  edges = Float64Array.from({ length: ceil(view.width) + 2 }, (_, x) => instantAtX(x));
  drawWash(seen);
  drawRuler(seen);
  for (const row of rows) if (row.isShown) drawRow(row, seen);
  drawLeftOut(seen);
  limits.forEach(drawLimit);
  if (view.isQuiet) drawVeil(seen);
  data.marks.forEach(drawMarks);
  drawEvidence();
  drawFlags();
  drawHits();
  drawCursor();
  drawMap();
}

// When each column of pixels begins.
let edges;
const endOfColumn = (x) => edges[max(0, floor(x) + 1)] ?? Infinity;

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
    const begin = row.from[place];
    if (begin > to) break;
    const left = xOf(begin), right = xOf(row.until[place]);
    let next = place + 1;
    if (right - left < 1) {
      next = max(next, firstEnding(row, endOfColumn(left), next));
    }
    paint(place, left, right, next);
    place = next;
  }
}

// What the app was, behind all lanes; hatched where nothing ran, or nothing is known.
function drawWash(seen) {
  const height = pictureHeight - RULER;
  if (app) {
    let last = '', from = 0, to = 0;
    const paint = () => { if (last !== 'active') bar(`wash-${last}`, from, RULER, to - from, height); };
    eachSeen(app, seen, (place, left, right) => {
      const state = STATE[wordOf(app, place)];
      if (state !== last || left > to + 0.01) {
        if (last) paint();
        [last, from] = [state, left];
      }
      to = max(right, left + 0.5);
    });
    if (last) paint();
  }
  for (const [from, to] of data.gaps) drawHatch(xOf(from), xOf(to));
  for (const row of rows.filter(({ lane, end }) => lane.group === 'system' && end)) {
    eachSeen(row, seen, (place, left, right) => {
      if (wordOf(row, place) === 'suspended') drawHatch(left, right);
    });
  }
}

function drawHatch(left, right) {
  const from = max(0, left), width = min(view.width, right) - from;
  if (width < 0) return;
  explain('hatch');
  bar('hatch', from, RULER, max(width, 1), pictureHeight - RULER);
}

// Fades the time in which the app was active.
function drawVeil(seen) {
  if (!app) return;
  eachSeen(app, seen, (place, left, right) => {
    if (STATE[wordOf(app, place)] !== 'active') return;
    bar('ground', left, RULER, right - left, pictureHeight - RULER, 0.82);
  });
}

function drawRow(row, seen) {
  if (row.place === 0) bar('line', 0, row.y - 3.5, view.width, 0.5);
  if (row.lane.kind === 'count') drawCounter(row, seen);
  else if (!row.end) drawTicks(row, seen);
  else {
    eachSeen(row, seen, (place, left, right, next) => drawInterval(row, place, left, right, next));
    drawPile();
  }
}

// Neighbouring columns of one color are drawn together.
let pile = null;
function drawPile() {
  if (pile) bar(pile.name, pile.x, pile.y, pile.width, pile.height, pile.opacity);
  pile = null;
}

function addToPile(name, x, { y, height }, opacity) {
  if (pile && pile.name === name && pile.opacity === opacity && pile.x + pile.width === x) pile.width++;
  else {
    drawPile();
    pile = { name, x, y, width: 1, height, opacity };
  }
}

function drawInterval(row, place, left, right, next) {
  const { y, height, lane } = row;
  const name = lane.kind === 'band' ? STATE[wordOf(row, place)] ?? 'system' : lane.group;
  const isDead = isCut(row, place);
  if (right - left < 1) {
    const many = next - place > 1, x = floor(left);
    if (many || !isDead) return addToPile(name, x, row, many ? share(row, place, next, x) : 1);
    return bar(name, x, y, 2, height);
  }
  const from = max(left, -4), to = min(right, view.width + 4);
  bar(name, from, y, max(1, to - from - (right - left > 4 ? 1 : 0)), height);
  if (isDead && right < view.width + 4 && isInPart(row.until[place])) {
    explain('cut');
    bar('error', to - 3, y - 1, 3, height + 2);
  }
  drawWord(row, place, max(from, 0), to - (isDead ? 3 : 0), name);
}

// How much of a pixel its intervals cover: else a million of them are one solid bar.
function share(row, place, next, x) {
  if (row.lane.kind === 'band') return 1;
  if (!row.sums) {
    row.sums = new Float64Array(row.size + 1);
    for (let i = 0; i < row.size; i++) {
      row.sums[i + 1] = row.sums[i] + row.until[i] - row.from[i];
    }
  }
  const covered = (row.sums[next] - row.sums[place]) / max(1, endOfColumn(x) - endOfColumn(x - 1));
  return max(0.25, min(1, ceil(covered * 16) / 16));
}

function drawWord(row, place, left, right, name) {
  const room = right - left - 10;
  if (room < 20) return;
  let text = shortWord(wordOf(row, place));
  const width = widthOf(text);
  if (width > room) text = `${text.slice(0, floor(text.length * room / width) - 1)}…`;
  if (text.length < 4 && width > room) return;
  write(text, left + 5, middleOf(row) + 0.5, name === 'inactive' ? 'on-inactive' : 'on-fill');
}

// Whether a state of the app is known, and is not active.
const isAway = (state) => state !== '' && STATE[state] !== 'active';

// Work while the app is not active is red. Where ticks are a wall, what they stand on is seen.
function drawTicks(row, [from, to]) {
  const isWork = row.lane.group === 'work', isOver = row.lane.kind === 'span';
  let last = -9;
  for (let place = firstBeginning(row, from); place < row.size;) {
    const time = row.from[place];
    if (time > to) break;
    const x = floor(xOf(time));
    const next = max(place + 1, firstBeginning(row, endOfColumn(x), place + 1));
    const height = min(row.height, 6 + 2 * log2(next - place));
    const isLate = isWork && [place, next - 1].some((one) => isAway(stateAfter(row.begin[one])));
    if (isLate) explain('late');
    const name = isLate ? 'error' : isOver ? 'ink' : row.lane.group;
    bar(name, x, row.y + row.height - height, 1.6, height, isOver && x - last < 4 ? 0.2 : 1);
    [place, last] = [next, x];
  }
  if (row.says) write(row.says, 4, row.y + 4, 'soft');
}

function drawCounter(row, [from, to]) {
  const value = (place) => data.value(row.begin[place]) ?? 0;
  if (row.most === undefined) {
    row.most = 1;
    for (let i = 0; i < row.size; i++) row.most = max(row.most, value(i));
  }
  const bottom = row.y + row.height;
  let path = '', place = max(0, firstBeginning(row, from) - 1);
  while (place < row.size && row.from[place] <= to) {
    const x = xOf(row.from[place]), y = bottom - value(place) / row.most * (row.height - 12);
    path += path ? `H${x}V${y}` : `M${x} ${y}`;
    place = max(place + 1, firstBeginning(row, endOfColumn(x), place + 1));
  }
  if (path) stroke(`${path}H${view.width}`, 'counter', 1.4);
  write(`up to ${quantity(row.most)}`, 4, row.y + 5, 'soft');
}

function quantity(number) {
  const [scale, unit] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']].find(([size]) => number >= 10 * size) ?? [1, ''];
  return `${+(number / scale).toPrecision(4)}${unit}`;
}

// A dotted bar as long as the limit allows, with a post at its end, where it is wide enough to be seen.
function drawLimit({ row, from, until }) {
  if (!row.isShown) return;
  const left = xOf(from), right = xOf(until);
  if (right < 0 || left > view.width || right - left < 3) return;
  explain('limit');
  const start = max(left, -4), width = max(2, min(right, view.width + 4) - start);
  stroke(`M${start + 0.5} ${row.y - 1.5}h${width}v${row.height + 3}h${-width}z`, 'ink', 1, [2, 2]);
  if (isInPart(until)) bar('ink', right - 1, row.y - 4, 2, row.height + 8);
}
