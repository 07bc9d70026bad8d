
// Buttons, keys, the pointer, and links that hold the whole view.

const button = (name) => document.querySelector(`[data-do="${name}"]`);

const actions = {
  before: () => step(-1),
  after: () => step(1),
  up: () => stepLane(-1),
  down: () => stepLane(1),
  next: () => chooseFinding(cursor.finding + 1),
  previous: () => chooseFinding(cursor.finding - 1),
  in: () => zoom(1 / 1.6),
  out: () => zoom(1.6),
  left: () => pan(-0.2),
  right: () => pan(0.2),
  fit: fitFinding,
  all: () => show(WHOLE.from, WHOLE.to),
  end: goToEnd,
  story: () => chooseAxis('story'),
  clock: () => chooseAxis('clock'),
  axis: () => chooseAxis(view.axis === 'story' ? 'clock' : 'story'),
  quiet: fadeActive,
  search: () => {
    byId('events').scrollIntoView({ block: 'nearest' });
    byId('query').focus();
  },
  copy,
  keys: () => byId('keys').showModal(),
  leave,
};

const KEYS = {
  ArrowLeft: 'before', ArrowRight: 'after', ArrowUp: 'up', ArrowDown: 'down', n: 'next', p: 'previous',
  w: 'in', '+': 'in', '=': 'in', s: 'out', '-': 'out', a: 'left', d: 'right', f: 'fit', 0: 'all', e: 'end',
  x: 'axis', i: 'quiet', '/': 'search', c: 'copy', '?': 'keys', Escape: 'leave',
};

function keyDown(event) {
  const focused = document.activeElement;
  if (byId('keys').open || event.ctrlKey || event.metaKey || event.altKey) return;
  if (focused.id === 'query') {
    if (event.key === 'Enter') nextHit();
    if (event.key === 'Escape') { focused.value = ''; find(); canvas.focus(); }
    return;
  }
  const isArrow = event.key.startsWith('Arrow'), isOnCanvas = focused === canvas;
  const isUpright = event.key === 'ArrowUp' || event.key === 'ArrowDown';
  // Elsewhere arrows up and down scroll the page; and somebody may want letters for other things.
  if (isUpright && !isOnCanvas && focused.id !== 'list') return;
  if (!isArrow && !isOnCanvas && !byId('letters').checked) return;
  const action = isUpright && focused.id === 'list'
    ? event.key === 'ArrowUp' ? 'before' : 'after' : KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  actions[action]();
}

// MARK: Steps

// From event to event; in a lane that is chosen, from one of its events to the next.
function step(by) {
  const lane = lanes[cursor.lane];
  if (search.hits && !lane) {
    const at = lowest(search.hits, by > 0 ? cursor.event + 1 : cursor.event) - (by < 0 ? 1 : 0);
    if (search.hits[at] !== undefined) go(search.hits[at]);
    return;
  }
  if (!lane) return go(cursor.event + by);
  let nearest;
  for (const row of lane.rows) {
    const place = lowest(row.begin, by > 0 ? cursor.event + 1 : cursor.event) - (by < 0 ? 1 : 0);
    const event = row.begin[place];
    const isNearer = nearest === undefined || Math.abs(event - cursor.event) < Math.abs(nearest - cursor.event);
    if (event !== undefined && isNearer) nearest = event;
  }
  if (nearest !== undefined) go(nearest);
}

function stepLane(by) {
  cursor.lane = Math.max(0, Math.min(lanes.length - 1, cursor.lane + by));
  markLane();
  tell('say', `lane ${lanes[cursor.lane].title}`);
}

function markLane() {
  lanes.forEach((lane, index) => lane.label.classList.toggle('on', index === cursor.lane));
}

function leave() {
  cursor.lane = cursor.finding = -1;
  markLane();
  markFinding();
  changed();
}

function goToEnd() {
  const end = data.end ?? data.count - 1;
  showTime(data.time[Math.max(0, end - 14)], data.time[end]);
  go(end);
}

function fadeActive() {
  view.isQuiet = !view.isQuiet;
  button('quiet').setAttribute('aria-pressed', view.isQuiet);
  redraw();
}

// MARK: Findings

const findingItems = () => document.querySelectorAll('#findings > ol > li');

function chooseFinding(index, isFitted = true) {
  const count = data.findings.length;
  if (!count) return;
  cursor.finding = (index + count) % count;
  const item = markFinding();
  item.querySelector('details').open = true;
  item.querySelector('summary').scrollIntoView({ block: 'nearest' });
  if (isFitted) fitFinding();
  go(eventOf(data.findings[cursor.finding]) ?? cursor.event);
}

function markFinding() {
  let chosen;
  findingItems().forEach((item, index) => {
    item.classList.toggle('on', index === cursor.finding);
    if (index === cursor.finding) chosen = item;
  });
  return chosen;
}

function fitFinding() {
  const finding = data.findings[cursor.finding];
  if (!finding) return;
  const times = finding.witnesses.flatMap(({ event, until }) =>
    event !== undefined ? [data.time[event]] : until !== undefined ? [until] : []);
  if (times.length) showTime(Math.min(...times), Math.max(...times));
}

// What somebody pastes into an issue: the finding or the event, where it is, and how to see it.
async function copy() {
  const finding = data.findings[cursor.finding];
  const lines = finding
    ? [`${finding.severity} ${finding.rule}: ${finding.message}`, ...finding.witnesses.map(witnessText)]
    : [`${timeText(data.instant[cursor.event])} ${reference(cursor.event)} ${eventText(cursor.event)}`];
  const text = [...lines, `${data.command} ${reference(cursor.event)}`, location.href].join('\n');
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyOldWay(text);
  }
  tell('say', 'Copied');
  button('copy').textContent = 'Copied';
  setTimeout(() => { button('copy').textContent = 'Copy'; }, 1500);
}

const witnessText = ({ role, event, says }) => event === undefined
  ? `  ${role} ${says}`
  : `  ${role} ${timeText(data.instant[event])} ${reference(event)} ${eventText(event)}`;

// Pages that do not come over https have no clipboard.
function copyOldWay(text) {
  const box = make('textarea', '', text);
  document.body.append(box);
  box.select();
  document.execCommand('copy');
  box.remove();
}

// MARK: Links

// #t=15.141&finding=639fccbd9a0436e1&view=10.009-15.141&axis=clock
const seconds = (nanoseconds) => String(+(nanoseconds / 1e9).toFixed(9));
let linkTimer;

function link() {
  const words = new URLSearchParams(), event = cursor.event;
  words.set('t', seconds(data.instant[event]));
  // Of several events at one instant the first is meant, unless the link names another.
  if (event > 0 && data.instant[event - 1] === data.instant[event]) words.set('event', reference(event));
  if (cursor.finding >= 0) words.set('finding', data.findings[cursor.finding].fingerprint);
  if (!isWhole()) words.set('view', `${seconds(instantAt(view.from))}-${seconds(instantAt(view.to))}`);
  if (view.axis === 'clock') words.set('axis', 'clock');
  return `#${words}`;
}

// Later, for browsers refuse too many changes; a page in a sandbox has none to make.
function keepLink() {
  clearTimeout(linkTimer);
  linkTimer = setTimeout(() => { try { history.replaceState(null, '', link()); } catch {} }, 200);
}

function follow() {
  const words = new URLSearchParams(location.hash.slice(1));
  const finding = data.findings.findIndex((one) => one.fingerprint === words.get('finding'));
  const [, from, to] = /^(-?[\d.]+)-(-?[\d.]+)$/.exec(words.get('view') ?? '') ?? [];
  const named = words.has('event') ? eventNamed(words.get('event')) : undefined;
  if (words.has('doubts')) byId('doubts').firstChild.open = true;
  if (words.has('axis') && words.get('axis') !== view.axis) actions.axis();
  if (finding >= 0) chooseFinding(finding, from === undefined && !words.has('t'));
  if (from !== undefined) show(placeOf(from * 1e9), placeOf(to * 1e9));
  if (named !== undefined) go(named);
  else if (words.has('t')) go(lowest(data.time, Number(words.get('t')) * 1e9 - 0.5));
  return finding >= 0 || words.has('t') || named !== undefined;
}

// MARK: The pointer

let drag = null;
function hit({ offsetX: x, offsetY: y }) {
  const row = rows.find((one) => one.isShown && y >= one.y - 2 && y < one.y + one.height + 2);
  if (!row) return null;
  const place = (row.end ? firstEnding : firstBeginning)(row, instantAtX(x - 3));
  return place < row.size && xOf(beginOf(row, place)) <= x + 3 ? { row, place } : null;
}

function pointerMoved(event) {
  const x = event.offsetX;
  cursor.pointer = x;
  if (drag) {
    drag.isMoved ||= Math.abs(drag.x - x) > 3;
    const by = (drag.x - x) / view.width * (drag.to - drag.from);
    if (drag.isMoved) show(drag.from + by, drag.to + by);
  }
  const under = drag?.isMoved ? null : hit(event);
  tell('readout', under ? hitText(under) : timeText(Math.round(instantAtX(x)), 6));
  canvas.classList.toggle('over', Boolean(under));
  redraw();
}

function hitText({ row, place }) {
  const event = row.begin[place];
  if (!row.end) return `${timeText(data.instant[event])}  ${eventText(event)}`;
  const [from, to] = [beginOf(row, place), endOf(row, place)];
  const fate = isCut(row, place) ? ', never closed: its process ended'
    : row.fate[place] === GOES_ON ? ', open at the end of the log' : '';
  const times = `${timeText(from)} to ${timeText(to)}, ${spanText(to - from)}`;
  return `${row.lane.title}: ${wordOf(row, place)}  ${times}${fate}`;
}

function pointerUp(event) {
  const { isMoved } = drag ?? { isMoved: true };
  drag = null;
  if (isMoved) return;
  const at = event.offsetX;
  const flag = event.offsetY < 22 && flags.find(({ x }) => Math.abs(x - at) < 12);
  if (flag) return chooseFinding(flag.index, false);
  const under = hit(event);
  if (under) return go(under.row.begin[under.place], false);
  const next = lowest(data.time, instantAtX(at)), nearby = (event) => Math.abs(xOf(data.time[event]) - at);
  const isBefore = next > 0 && (next === data.count || nearby(next) > nearby(next - 1));
  go(isBefore ? next - 1 : next, false);
}

function doubleClicked(event) {
  const under = hit(event);
  if (under?.row.end) showTime(beginOf(under.row, under.place), endOf(under.row, under.place));
  else zoom(0.4);
}

// The wheel scrolls the page; with ctrl it zooms, with shift or sideways it pans.
function wheel(event) {
  const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
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
  for (const one of document.querySelectorAll('[data-do]')) one.onclick = actions[one.dataset.do];
  findingItems().forEach((item, index) => {
    item.querySelector('summary').addEventListener('click', () => {
      if (!item.querySelector('details').open) chooseFinding(index, false);
    });
  });
  on(window, { keydown: keyDown, hashchange: follow, beforeprint: openAll });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', resize);
  new ResizeObserver(resize).observe(canvas.parentElement);
}

// MARK: The start

const openAll = () => document.querySelectorAll('details').forEach((one) => { one.open = true; });

function layLabels() {
  const head = make('div');
  head.style.height = `${RULER + 4}px`;
  byId('labels').append(head);
  for (const lane of lanes) {
    lane.label = make('div', '', lane.title);
    lane.label.title = lane.title;
    if (lane.hidden) lane.label.append(make('i', '', ` +${lane.hidden}`));
    lane.label.style.height = `${lane.height + 6}px`;
    byId('labels').append(lane.label);
  }
}

let data;

// Shows what needs the script, in place of what does not.
function setLive(isLive) {
  document.body.classList.toggle('live', isLive);
  for (const one of document.querySelectorAll('.script')) one.hidden = !isLive;
}

async function start() {
  data = readData(await unpacked(byId('data').textContent));
  byId('data').remove();
  [canvas, map] = [byId('picture'), byId('map')];
  [pen, mapPen] = [canvas.getContext('2d'), map.getContext('2d')];
  for (const { witnesses } of data.findings) for (const { event } of witnesses) list.evidence.add(event);
  setLive(true);
  findingItems().forEach((item, index) => { item.querySelector('details').open = index === 0; });
  for (const one of document.querySelectorAll('details.aside')) one.open = false;
  layTime();
  layLanes();
  layLimits();
  layLabels();
  listen();
  resize();
  chooseAxis(data.knots[0].length < 3 ? 'clock' : 'story');
  if (!follow()) {
    if (data.findings.length) chooseFinding(0, false); else go(data.end ?? data.count - 1);
  }
  draw();
  document.body.dataset.ready = data.count;
}

start().catch((error) => {
  setLive(false);
  tell('trouble', `This browser cannot draw the timeline (${error.message}); the lists tell all.`);
  byId('trouble').hidden = false;
});
