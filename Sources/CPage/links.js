
// Links that hold the whole view: #t=15.141&finding=639fccbd9a0436e1&view=10.009-15.141&axis=clock

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
