
// Where lanes lie, what is in them at an instant, and where an event stands.

const RULER = 56, ROWS = 6, LANES = 40, HEIGHT = { band: 20, span: 18, tick: 16, count: 32 };
let pictureHeight;
let lanes, rows, app;

function layLanes() {
  let y = RULER + 4;
  const folded = foldedLanes();
  lanes = data.lanes.filter((lane) => !folded.includes(lane));
  if (folded.length) lanes.push(summaryOf(folded));
  rows = [];
  for (const lane of lanes.concat(folded)) {
    const isFolded = folded.includes(lane);
    lane.y = y;
    lane.rows.forEach((row, place) => {
      // Marks stand on the first row of bars, if there is one.
      const isOver = !row.end && place > 0;
      Object.assign(row, { lane, place, height: HEIGHT[lane.kind] - 3 });
      Object.assign(row, { y: isOver ? lane.y : y, isShown: !isFolded && (isOver || place < ROWS) });
      rows.push(row);
      if (row.isShown && !isOver) y += HEIGHT[lane.kind];
    });
    lane.hidden = lane.rows.filter((row) => !row.isShown).length;
    lane.height = y - lane.y;
    if (!isFolded) y += 6;
  }
  pictureHeight = y + 14;
  app = data.lanes.find((lane) => lane.group === 'app')?.rows[0];
}

const holds = (row, event) => [row.begin, row.end].some((list) => list && list[lowest(list, event)] === event);

// A browser has no sheet for thousands of lanes: those with evidence and the busiest ones are drawn.
function foldedLanes() {
  if (data.lanes.length <= LANES) return [];
  for (const lane of data.lanes) {
    const isNeeded = lane.group === 'app' || [...list.evidence].some((event) => lane.rows.some((row) => holds(row, event)));
    lane.weight = lane.rows.reduce((sum, { size }) => sum + size, isNeeded ? 1e9 : 0);
  }
  return [...data.lanes].sort((a, b) => b.weight - a.weight).slice(LANES);
}

// The others as one row of ticks.
function summaryOf(folded) {
  const begin = Uint32Array.from(folded.flatMap((lane) => lane.rows.flatMap((row) => [...row.begin]))).sort();
  const row = {
    begin, size: begin.length, from: Float64Array.from(begin, (event) => data.time[event]),
    says: many(begin.length, 'event'), leftOut: { at: [], values: [], of() {} },
  };
  return { kind: 'tick', group: 'notify', title: `${many(folded.length, 'more lane')}`, rows: [row] };
}

const wordOf = (row, place) => data.words[row.word[place]];

// The first interval that ends at `instant` or later. To skip what is too narrow to see, look for the
// next end, not for the next begin: that may lie behind a long interval.
const firstEnding = (row, instant, from) => lowestNear(row.until, instant, from);
const firstBeginning = (row, instant, from) => lowestNear(row.from, instant, from);

// The interval that is open after an event, still at an instant; at the end of a process those that it cut off.
function openAt(row, event, time = data.time[event]) {
  const place = lowest(row.end, event);
  for (const at of [place, place + 1]) {
    const isOpen = at < row.size && row.begin[at] <= event && time <= row.until[at], fate = row.fate[at];
    if (isOpen && (event < row.end[at] || fate === DIED || fate === GOES_ON || fate & BEYOND)) return at;
  }
  return -1;
}

// Often it is the state that was asked for last.
let lastState = 0;
function stateAfter(event) {
  if (!app) return '';
  const isSame = app.begin[lastState] <= event && event < app.end[lastState];
  const place = isSame ? lastState : openAt(app, event);
  if (place < 0) return '';
  lastState = place;
  return wordOf(app, place);
}

// The row in which an event begins, ends or ticks: where the evidence is already, then deeds before states.
function rowOf(event, near = []) {
  const holding = rows.filter((row) => row.isShown && holds(row, event));
  const isDeed = (row) => row.lane.kind !== 'band' && row.lane.group !== 'system';
  return holding.find((row) => near.includes(row)) ?? holding.find(isDeed) ?? holding[0];
}

const middleOf = (row) => row ? row.y + row.height / 2 : RULER + 8;

// A span that was to be closed, and was not: its process ended before.
const isCut = (row, place) =>
  row.lane.kind === 'span' && row.lane.group !== 'system' && (row.fate[place] & 3) === DIED;

// Callbacks without the word that all of them begin with.
const shortWord = (word) => word.replace(/^(application|scene)(?=[A-Z])/, '');

// What is allowed a bar: a limit counts from one instant to another, and is reached at a third.
let limits;

function layLimits() {
  limits = data.limits.map(([lane, row, place, from, until, to]) =>
    ({ row: data.lanes[lane].rows[row], place, from, until, to }));
}

const limitAt = (row, place, time) => limits.find((limit) =>
  limit.row === row && limit.place === place && limit.from <= time && time <= limit.to);
