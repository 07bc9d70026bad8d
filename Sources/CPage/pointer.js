
// The pointer and the wheel, and who listens to what.

let drag = null;
const rowAt = (y) => rows.find((one) => one.isShown && y >= one.y - 2 && y < one.y + one.height + 2);

function hit({ offsetX: x, offsetY: y }) {
  const row = rowAt(y);
  if (!row) return null;
  const place = (row.end ? firstEnding : firstBeginning)(row, instantAtX(x - 3));
  return place < row.size && xOf(row.from[place]) <= x + 3 ? { row, place } : null;
}

function pointerMoved(event) {
  const x = event.offsetX;
  cursor.pointer = x;
  if (drag) {
    drag.isMoved ||= abs(drag.x - x) > 3;
    const by = (drag.x - x) / view.width * (drag.to - drag.from);
    if (drag.isMoved) show(drag.from + by, drag.to + by);
  }
  const under = drag?.isMoved ? null : hit(event);
  const leftOut = under ? '' : leftOutText(rowAt(event.offsetY), instantAtX(x));
  tell('readout', under ? hitText(under) : timeText(round(instantAtX(x)), 6) + leftOut);
  canvas.classList.toggle('over', Boolean(under));
  redraw();
}

function hitText({ row, place }) {
  const event = row.begin[place];
  if (!row.end) return `${timeText(data.instant[event])}  ${eventText(event)}`;
  const [from, to] = [row.from[place], row.until[place]];
  const fate = isCut(row, place) ? ', never closed: its process ended'
    : (row.fate[place] & 3) === GOES_ON ? ', open at the end of the log' : '';
  const times = `${timeText(from)} to ${timeText(to)}, ${spanText(to - from)}`;
  return `${row.lane.title}: ${wordOf(row, place)}  ${times}${fate}`;
}

function pointerUp(event) {
  const { isMoved } = drag ?? { isMoved: true };
  drag = null;
  if (isMoved) return;
  const at = event.offsetX;
  const flag = event.offsetY < 22 && flags.find(({ x }) => abs(x - at) < 12);
  if (flag) return chooseFinding(flag.index, false);
  const under = hit(event);
  if (under) return go(under.row.begin[under.place], false);
  const next = lowest(data.time, instantAtX(at)), nearby = (event) => abs(xOf(data.time[event]) - at);
  const isBefore = next > 0 && (next === data.count || nearby(next) > nearby(next - 1));
  go(isBefore ? next - 1 : next, false);
}

function doubleClicked(event) {
  const under = hit(event);
  if (under?.row.end) showTime(under.row.from[under.place], under.row.until[under.place]);
  else zoom(0.4);
}

// The wheel scrolls the page; with ctrl it zooms, with shift or sideways it pans.
function wheel(event) {
  const isPan = event.shiftKey || abs(event.deltaX) > abs(event.deltaY);
  if (!event.ctrlKey && !event.metaKey && !isPan) return;
  event.preventDefault();
  if (isPan) return pan((event.deltaX || event.deltaY) / view.width);
  const at = event.offsetX / view.width * (view.to - view.from) + view.from;
  zoom(Math.exp(event.deltaY * 0.002), at);
}

function mapPressed(event) {
  const place = event.offsetX / map.clientWidth, width = view.to - view.from;
  if (isWhole()) go(lowest(data.time, instantAt(place)));
  else show(place - width / 2, place + width / 2);
}

function listen() {
  const on = (target, handlers) => {
    for (const [name, handler] of Object.entries(handlers)) target.addEventListener(name, handler);
  };
  on(canvas, {
    pointermove: pointerMoved, pointerup: pointerUp, dblclick: doubleClicked,
    pointerleave: () => { cursor.pointer = null; redraw(); },
    pointerdown: (event) => {
      drag = { x: event.offsetX, from: view.from, to: view.to, isMoved: false };
      canvas.setPointerCapture(event.pointerId);
    },
  });
  canvas.addEventListener('wheel', wheel, { passive: false });
  on(map, {
    pointerdown: (event) => { map.setPointerCapture(event.pointerId); mapPressed(event); },
    pointermove: (event) => { if (event.buttons) mapPressed(event); },
  });
  on(byId('query'), { input: () => { clearTimeout(search.timer); search.timer = setTimeout(find, 60); } });
  on(byId('list'), {
    scroll: scrolled,
    click: (event) => {
      const row = event.target.closest('[data-event]');
      if (row) go(Number(row.dataset.event));
    },
  });
  for (const one of allOf('[data-do]')) one.onclick = actions[one.dataset.do];
  findingItems().forEach((item, index) => {
    item.querySelector('summary').addEventListener('click', (event) => {
      if (item.querySelector('details').open) return;
      // It opens what it chooses: the summary's own click would close it again.
      event.preventDefault();
      chooseFinding(index, false);
    });
  });
  on(window, { keydown: keyDown, hashchange: follow, beforeprint: openAll });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', resize);
  new ResizeObserver(resize).observe(canvas.parentElement);
}
