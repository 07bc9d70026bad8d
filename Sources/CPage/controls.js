
// Buttons and keys, and what they do.

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
  search: () => byId('query').focus(),
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
  // Behind an event the one before is that one.
  if (!lane) return go(cursor.event + (by < 0 && cursor.time > data.time[cursor.event] ? 0 : by));
  let nearest;
  for (const row of lane.rows) {
    const place = lowest(row.begin, by > 0 ? cursor.event + 1 : cursor.event) - (by < 0 ? 1 : 0);
    const event = row.begin[place];
    const isNearer = nearest === undefined || abs(event - cursor.event) < abs(nearest - cursor.event);
    if (event !== undefined && isNearer) nearest = event;
  }
  if (nearest !== undefined) go(nearest);
}

function stepLane(by) {
  cursor.lane = max(0, min(lanes.length - 1, cursor.lane + by));
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
  showTime(data.time[max(0, end - 14)], data.time[end]);
  go(end);
}

function fadeActive() {
  view.isQuiet = !view.isQuiet;
  button('quiet').setAttribute('aria-pressed', view.isQuiet);
  redraw();
}

// MARK: Findings

const findingItems = () => allOf('#findings > ol > li');

// Chooses a finding; brings it into view unless nobody has asked for it.
function chooseFinding(index, isFitted = true, isAsked = true) {
  const count = data.findings.length;
  if (!count) return;
  cursor.finding = (index + count) % count;
  const item = markFinding();
  item.querySelector('details').open = true;
  if (isAsked) item.querySelector('summary').scrollIntoView({ block: 'nearest' });
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
  if (times.length) showTime(min(...times), max(...times));
}

// What somebody pastes into an issue: the finding or the event, where it is, and how to see it.
async function copy() {
  const finding = data.findings[cursor.finding];
  const lines = finding
    ? [`${finding.severity} ${finding.rule}: ${finding.message}`, ...finding.witnesses.map(witnessText)]
    : [`${timeText(data.instant[cursor.event])} ${reference(cursor.event)} ${eventText(cursor.event)}`];
  const text = [...lines, `${data.command} ${reference(cursor.event)}`, location.href].join('\n');
  // Pages that do not come over https, nor from a disk, have no clipboard.
  const said = await navigator.clipboard?.writeText(text).then(() => 'Copied', () => undefined);
  tell('say', button('copy').textContent = said ?? 'Cannot copy');
  setTimeout(() => { button('copy').textContent = 'Copy'; }, 1500);
}

const witnessText = ({ role, event, says }) => event === undefined
  ? `  ${says}`
  : `  ${role} ${timeText(data.instant[event])} ${reference(event)} ${eventText(event)}`;
