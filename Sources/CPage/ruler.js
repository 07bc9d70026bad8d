
// The ruler: how long it is from knot to knot, and when the app turned; or a scale.

function drawRuler(seen) {
  bar('line', 0, RULER - 0.5, view.width, 1);
  if (view.axis === 'clock') return drawScale(seen);
  drawGaps();
  drawTurns(seen);
}

function drawScale([from, to]) {
  const least = (to - from) / (view.width / 110), power = 10 ** floor(log10(least)), isLong = extent >= 2 * DAY;
  const steps = isLong && least > 1e9 ? LONG_STEPS : [1, 2, 5, 10].map((factor) => factor * power);
  const step = steps.find((size) => size >= least) ?? 364 * DAY;
  // Days begin at midnight.
  const late = isLong && data.wall ? data.wall.origin * 1e6 % step : 0;
  for (let time = ceil((from + late) / step) * step - late; time <= to; time += step) {
    const x = xOf(time), text = isLong ? turnText(time) : scaleText(round(time), step);
    bar('soft', x, RULER - 8, 1, 8);
    write(text, inside(x, widthOf(text) / 2), RULER - 18, 'soft', 'center');
  }
}

const LONG_STEPS = [1, 10, 60, 600, 3600, 21600, 86400, 604800, 2419200, 7862400].map((seconds) => seconds * 1e9);

// So that what reaches so far to both sides is seen.
const inside = (x, half) => max(half, min(view.width - half, x));

const scaleText = (time, step) =>
  `${+(time / 1e9).toFixed(max(0, 9 - floor(log10(max(1, step)))))}s`;

// How long it is from knot to knot, where there is room to say it.
function drawGaps() {
  const y = RULER - 12, { instant, place } = knots;
  let i = max(1, lowest(place, view.from));
  for (; i < instant.length && place[i - 1] <= view.to; i++) {
    const left = max(0, xOf(instant[i - 1])), right = min(view.width, xOf(instant[i]));
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
  const turns = [first, first + extent];
  for (const times of [app?.from ?? [], ...data.marks.map(({ times }) => times)]) {
    for (let place = lowest(times, to + 1) - 1; place >= 0 && times[place] >= from;) {
      turns.push(times[place]);
      place = min(place, lowest(times, instantAtX(xOf(times[place]) - 20))) - 1;
    }
  }
  let free = view.width;
  for (const time of turns.sort((a, b) => b - a)) {
    const text = turnText(time), half = widthOf(text) / 2, x = xOf(time), center = inside(x, half);
    if (x < -1 || x > view.width + 1 || center + half > free) continue;
    write(text, center, 29, 'ink', 'center');
    free = center - half - 10;
  }
}
