
// Links that hold the whole view: #t=15.141&finding=639fccbd9a0436e1&view=10.009-15.141&axis=clock

const seconds = (nanoseconds) => String(+(nanoseconds / 1e9).toFixed(9));
let linkTimer;

function link() {
  const words = new URLSearchParams(), { event, time } = cursor;
  words.set('t', seconds(time));
  // Of several events at one instant the last is meant, unless the link names another.
  if (data.time[event + 1] === time) words.set('event', reference(event));
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
  const [t] = /^-?[\d.]+(?=s?$)/.exec(words.get('t') ?? '') ?? [], time = min(round(t * 1e9), first + extent);
  const isTimed = time >= 0 || time < 0;
  const named = words.has('event') ? eventNamed(words.get('event')) : undefined;
  if (words.has('doubts')) byId('doubts').firstChild.open = true;
  if (words.has('axis') && words.get('axis') !== view.axis) actions.axis();
  if (finding >= 0) chooseFinding(finding, from === undefined && !isTimed);
  if (from !== undefined) show(placeOf(from * 1e9), placeOf(to * 1e9));
  if (named !== undefined) go(named);
  else if (isTimed) go(lowest(data.time, time + 0.5) - 1, true, time);
  return finding >= 0 || isTimed || named !== undefined;
}
