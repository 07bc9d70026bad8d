
// Time as text, and its place on one of two axes: 0 is the first event, 1 the last. The story axis gives
// room to what happens; the clock axis is to scale.

const UNITS = [['s', 1e9], ['ms', 1e6], ['us', 1e3], ['ns', 1]];

function timeText(nanoseconds, digits) {
  const size = abs(nanoseconds);
  if (size < 1) return '0s';
  let [unit, scale] = UNITS.find(([, scale]) => size >= scale);
  let number = size / scale;
  if (digits) number = number >= 10 ** digits ? round(number) : +number.toPrecision(digits);
  else number = +number.toFixed(round(log10(scale)));
  if (number >= 1000 && unit !== 's') [number, unit] = [1, UNITS[UNITS.findIndex((u) => u[0] === unit) - 1][0]];
  return (nanoseconds < 0 ? '-' : '') + number + unit;
}

// 233ms, 4.2s, 3min 5s, 2h 14min, 12d 3h.
function spanText(nanoseconds) {
  const seconds = floor(nanoseconds / 1e9);
  if (seconds >= 172800) return `${floor(seconds / 86400)}d ${floor(seconds % 86400 / 3600)}h`;
  if (seconds >= 3600) return `${floor(seconds / 3600)}h ${floor(seconds % 3600 / 60)}min`;
  if (seconds >= 60) return `${floor(seconds / 60)}min ${seconds % 60}s`;
  return timeText(nanoseconds, 3);
}

const instantText = (instant) => abs(instant) < 1000 ? '0s' : timeText(instant, 4);

// The time of day, where the log knows it; behind ~ where it is not exact.
function wallText(instant) {
  if (!data.wall) return '';
  const { origin, day, exactUntil } = data.wall, time = origin + instant / 1e6;
  if (!(abs(time) < 8e15)) return '';
  const text = new Date(time).toISOString(), mark = instant > exactUntil ? '~' : '';
  return mark + (day ? `${text.slice(0, 10)} ${text.slice(11, 23)} UTC` : text.slice(11, 23));
}

// An instant as the ruler names it: in a run of days by the calendar, or in days.
const DAY = 864e11;
function turnText(instant) {
  if (extent < 2 * DAY) return instantText(instant);
  if (!data.wall?.day) return spanText(instant);
  const text = wallText(instant).replace('~', '');
  return instantAtX(view.width) - instantAtX(0) < 2 * DAY ? text.slice(5, 19) : text.slice(0, 10);
}

// What is seen: from one place to another. The whole has some room at its ends.
const WHOLE = { from: -0.012, to: 1.016 };
const view = { axis: 'story', width: 800, ...WHOLE };
const isWhole = () => view.from <= WHOLE.from && view.to >= WHOLE.to;

let first, extent, knots;

function layTime() {
  knots = { instant: Float64Array.from(data.knots[0]), place: Float64Array.from(data.knots[1]) };
  first = knots.instant[0];
  extent = knots.instant.at(-1) - first || 1;
}

// Where `value` of one rising list lies in another, held at the ends; often it is where the last one was.
let lastKnot = 1;
function between(value, from, to) {
  let i = lastKnot;
  if (!(from[i - 1] <= value && value <= from[i])) i = lowest(from, value);
  if (i === 0) return to[0];
  if (i === from.length) return to[i - 1];
  lastKnot = i;
  return to[i - 1] + (value - from[i - 1]) / (from[i] - from[i - 1] || 1) * (to[i] - to[i - 1]);
}

const placeOf = (instant) =>
  view.axis === 'clock' ? (instant - first) / extent : between(instant, knots.instant, knots.place);
const instantAt = (place) =>
  view.axis === 'clock' ? first + place * extent : between(place, knots.place, knots.instant);

// The same in pixels of the picture.
const xOf = (instant) => (placeOf(instant) - view.from) / (view.to - view.from) * view.width;
const instantAtX = (x) => instantAt(view.from + x / view.width * (view.to - view.from));

function show(from, to) {
  const width = max(to - from, 1e-10), room = WHOLE.to - WHOLE.from;
  view.from = width >= room ? WHOLE.from : max(WHOLE.from, min(WHOLE.to - width, from));
  view.to = width >= room ? WHOLE.to : view.from + width;
  changed();
}

function showTime(from, to) {
  const [a, b] = [placeOf(from), placeOf(to)];
  const margin = max((b - a) * 0.12, 1e-8);
  show(a - margin, b + margin);
}

function zoom(factor, around = placeOf(cursor.time)) {
  const isSeen = around >= view.from && around <= view.to;
  const center = isSeen ? around : (view.from + view.to) / 2;
  show(center - (center - view.from) * factor, center + (view.to - center) * factor);
}

function pan(share) {
  const width = view.to - view.from;
  show(view.from + width * share, view.to + width * share);
}

function chooseAxis(axis) {
  const [from, to] = [instantAt(view.from), instantAt(view.to)];
  const all = isWhole();
  view.axis = axis;
  for (const name of ['story', 'clock']) button(name).setAttribute('aria-pressed', name === axis);
  if (all) show(WHOLE.from, WHOLE.to); else show(placeOf(from), placeOf(to));
}
