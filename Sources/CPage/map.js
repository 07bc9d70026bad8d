
// The map of the whole, below the picture.

let overview = null;

function drawMap() {
  // On paper it has no size.
  if (!map.width) return;
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
  mapPen.strokeRect(from * width + 1, 1, max(3, (to - from) * width - 2), 30);
}

// The app's states, how many events there are, and where the findings lie.
function drawnOverview() {
  const sheet = make('canvas'), width = map.width / density;
  sheet.width = map.width;
  sheet.height = map.height;
  const paper = sheet.getContext('2d');
  paper.scale(density, density);
  for (let place = 0; app && place < app.size;) {
    const left = placeOf(app.from[place]) * width, right = placeOf(app.until[place]) * width;
    paper.fillStyle = color(STATE[wordOf(app, place)] ?? 'system');
    paper.fillRect(left, 24, max(1, right - left), 8);
    const next = right - left < 1 ? firstEnding(app, instantAt((floor(left) + 1) / width), place) : 0;
    place = max(place + 1, next);
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
  const most = log2(1 + counts.reduce((a, b) => max(a, b), 1));
  paper.fillStyle = color('soft');
  counts.forEach((count, x) => {
    const height = count && 3 + 17 * log2(1 + count) / most;
    paper.fillRect(x, 23 - height, 1, height);
  });
}
