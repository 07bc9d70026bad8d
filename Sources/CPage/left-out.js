
// What the page has not: dots stand below a row for its bars and marks, and in the ruler for events.

// From where to where what is left out before some places of a row lies.
function layLeftOut(stretches, size, from, until) {
  stretches.from = Float64Array.from(stretches.at, (place) => place ? until[place - 1] : first);
  stretches.until = Float64Array.from(stretches.at, (place) => place < size ? from[place] : first + extent);
}

function layAllLeftOut() {
  const { time, leftOut, count } = data;
  layLeftOut(leftOut, count, time, time);
  // What comes before the first event of the page is none of it.
  if (leftOut.at[0] === 0) leftOut.until[0] = -Infinity;
  for (const row of rows) layLeftOut(row.leftOut, row.size, row.from, row.until ?? row.from);
}

function drawLeftOut(seen) {
  dot(data.leftOut, RULER - 2, seen);
  for (const row of rows) if (row.isShown) dot(row.leftOut, row.y + row.height + 1, seen);
}

function dot({ from, until }, y, seen) {
  let path = '', left = 0, right = -9;
  const draw = () => { if (right > left) path += `M${left} ${y}H${right}`; };
  for (let i = lowestNear(until, seen[0]); i < until.length && from[i] <= seen[1];) {
    const x = max(0, xOf(from[i]));
    if (x > right + 3) {
      draw();
      left = x;
    }
    right = min(view.width, max(xOf(until[i]), x + 1.5));
    i = max(i + 1, lowestNear(until, endOfColumn(right), i));
  }
  draw();
  if (!path) return;
  explain('dots');
  stroke(path, 'soft', 1.5, [1.5, 2.5]);
}

function leftOutText(row, instant) {
  if (!row) return '';
  const { from, until, values } = row.leftOut, i = lowestNear(until, instant);
  if (!(from[i] <= instant)) return '';
  return `  ${row.lane.title}: ${format(values[i])} more, not drawn`;
}
