
// At T: what is true at the cursor; and the events around it, or those that a search finds.

const cursor = { event: 0, time: 0, finding: -1, lane: -1, pointer: null };
const search = { hits: null };
const MOST_OPEN = 60;
// A shorter time is none: clocks do not tell it, and texts keep their order by it.
const LEAST = 1000;
let nowHeight = 0;

// The cursor stands at an event, or at an instant behind it and before the next one.
function go(event, isFollowed = true, time = 0) {
  cursor.event = max(0, min(data.count - 1, event));
  cursor.time = max(time, data.time[cursor.event]);
  const place = placeOf(cursor.time), width = view.to - view.from;
  if (isFollowed && (place < view.from || place > view.to)) show(place - width / 2, place + width / 2);
  tellMoment();
  tellEvents();
  changed();
}

function tellMoment() {
  const { event, time } = cursor, age = time - data.time[event];
  const instant = age ? time : data.instant[event];
  tell('instant', timeText(instant));
  tell('wall', wallText(instant));
  const open = rows.filter((row) => row.end).map((row) => [row, openAt(row, event, time)])
    .filter(([, place]) => place >= 0);
  const isShort = open.length <= MOST_OPEN;
  const facts = (isShort ? open : open.slice(0, MOST_OPEN)).map(([row, place]) => fact(row, place, time));
  for (const row of rows) if (row.lane.kind === 'count') facts.push(...reading(row));
  if (!isShort) facts.push(make('li', 'more', `and ${open.length - MOST_OPEN} more are open`));
  const box = byId('now');
  box.replaceChildren(...facts);
  // It grows and does not shrink: what stands below stays where it is.
  nowHeight = max(nowHeight, box.offsetHeight);
  box.style.minHeight = `${nowHeight}px`;
  const ago = age ? `  (${spanText(age)} before)` : '';
  tell('event', `${reference(event)}  ${eventText(event)}${ago}`);
  const state = app && openAt(app, event, time);
  const others = open.filter(([row]) => row.lane.kind === 'span' && row.lane.group !== 'system');
  tell('say', [
    timeText(instant), eventText(event), state >= 0 && `app ${wordOf(app, state)}`,
    ...others.slice(0, 4).map(([row, place]) => `open: ${wordOf(row, place)}`),
  ].filter(Boolean).join(', '));
}

// What an interval was at an instant, for how long, and how much of its limit is used.
function fact(row, place, now) {
  const item = make('li'), what = make('span'), word = wordOf(row, place);
  const isBand = row.lane.kind === 'band', age = now - row.from[place], isDead = isCut(row, place);
  const left = row.until[place] - now, fate = row.fate[place], limit = limitAt(row, place, now);
  what.append(make('span', isBand ? `state ${STATE[word] ?? 'system'}` : 'word', word));
  const until = isDead ? ', never closed' : fate & 3 || left < LEAST ? '' : `, ${spanText(left)} to come`;
  const since = age < LEAST ? '' : ` for ${spanText(age)}`;
  what.append(make('span', 'age', `${since}${until} `));
  if (limit) what.append(...used(limit, now));
  else if (isDead) item.classList.add('over');
  if (limit && now > limit.until) item.classList.add('over');
  item.append(make('span', 'lane', row.lane.title), what);
  return item;
}

// The last value of a counter, if it has one by then.
function reading(row) {
  const place = lowest(row.begin, cursor.event + 1) - 1, item = make('li');
  if (place < 0) return [];
  const value = quantity(data.value(row.begin[place])), age = spanText(cursor.time - row.from[place]);
  // There may have been other values since.
  const since = row.leftOut.of(place + 1) ? ` ${age} before` : '';
  item.append(make('span', 'lane', row.lane.title), make('span', '', value + since));
  return [item];
}

function used({ from, until }, now) {
  const meter = make('meter'), left = until - now;
  Object.assign(meter, { max: until - from, value: now - from, title: 'of what is allowed' });
  return [meter, make('span', 'left', left < 0 ? ` ${spanText(-left)} over` : ` ${spanText(left)} left`)];
}

// MARK: The list

// The list holds some hundred events around the cursor; a step within them changes two rows.
const LIST_SIZE = 120;
const LIST_MARGIN = 15;
const ROW_HEIGHT = 22;
const list = { from: 0, to: 0, hits: undefined, chosen: null, evidence: new Set() };
const listed = (i) => search.hits ? search.hits[i] : i;
const listLength = () => search.hits ? search.hits.length : data.count;

function tellEvents() {
  const at = search.hits ? lowest(search.hits, cursor.event) : cursor.event;
  const isNear = at >= list.from + (list.from && LIST_MARGIN)
    && at < list.to - (list.to < listLength() ? LIST_MARGIN : 0);
  if (list.hits !== search.hits || !isNear) fillList(at);
  const box = byId('list');
  list.chosen?.classList.remove('on');
  list.chosen?.removeAttribute('aria-selected');
  list.chosen = listed(at) === cursor.event ? box.children[at - list.from] : null;
  const row = list.chosen ?? box.children[min(at, list.to - 1) - list.from];
  if (list.chosen) {
    list.chosen.classList.add('on');
    list.chosen.setAttribute('aria-selected', 'true');
    box.setAttribute('aria-activedescendant', list.chosen.id);
  }
  if (row) keepInSight(box, row);
}

function keepInSight(box, row) {
  const top = row.offsetTop - box.clientTop, bottom = top + ROW_HEIGHT;
  const isSeen = top >= box.scrollTop + ROW_HEIGHT
    && bottom <= box.scrollTop + box.clientHeight - ROW_HEIGHT;
  if (!isSeen) box.scrollTop = top - box.clientHeight / 2;
}

function fillList(at) {
  list.hits = search.hits;
  list.chosen = null;
  list.from = max(0, min(at - LIST_SIZE / 2, listLength() - LIST_SIZE));
  list.to = min(listLength(), list.from + LIST_SIZE);
  const lines = [];
  for (let i = list.from; i < list.to; i++) lines.push(line(listed(i)));
  byId('list').replaceChildren(...lines);
}

function line(event) {
  const row = make('div', list.evidence.has(event) ? 'witness' : ''), leftOut = data.leftOut.of(event);
  row.id = `e${event}`;
  row.dataset.event = event;
  row.setAttribute('role', 'option');
  row.append(
    make('span', '', timeText(data.instant[event])), make('span', '', data.words[data.writer[event]]),
    make('span', '', data.words[data.verb[event]]), make('span', '', eventWords(event)));
  if (leftOut) {
    row.classList.add('jump');
    row.lastChild.append(make('i', '', `  ${many(leftOut, 'event')} before it not drawn`));
  }
  return row;
}

// Scrolling on goes on in the log.
function scrolled() {
  const box = byId('list'), top = box.scrollTop, bottom = top + box.clientHeight;
  const isAtEnd = bottom > box.scrollHeight - 100 && list.to < listLength();
  if (!isAtEnd && !(top < 100 && list.from > 0)) return;
  const at = list.from + floor(top / ROW_HEIGHT), rest = top % ROW_HEIGHT;
  fillList(at);
  box.scrollTop = (at - list.from) * ROW_HEIGHT + rest;
}

// MARK: Search

// All words must stand in the event, each anywhere in its fields.
function find() {
  const query = byId('query').value.trim(), named = eventNamed(query);
  search.query = query;
  if (named !== undefined) search.hits = Uint32Array.of(named);
  else search.hits = query ? query.toLowerCase().split(/\s+/).reduce(narrowed, null) : null;
  const count = search.hits?.length ?? 0;
  const drawn = data.leftOut.at.length ? ' of those drawn' : '';
  tell('hits', query && many(count, 'event') + drawn);
  tellEvents();
  redraw();
}

function narrowed(hits, word) {
  const has = Uint8Array.from(data.words, (text) => text.toLowerCase().includes(word));
  const { verb, name, label, subject, writer, value, details } = data, found = [];
  const length = hits ? hits.length : data.count;
  for (let i = 0; i < length; i++) {
    const event = hits ? hits[i] : i;
    if (has[verb[event]] || has[name[event]] || has[label[event]] || has[subject[event]]
      || has[writer[event]] || has[details(event)] || String(value(event) ?? '').includes(word)) {
      found.push(event);
    }
  }
  return Uint32Array.from(found);
}

function nextHit() {
  if (search.query !== byId('query').value.trim()) find();
  if (!search.hits?.length) return;
  go(search.hits[lowest(search.hits, cursor.event + 1) % search.hits.length]);
}

// The first event behind a place that reports name main#12; undefined when there is none.
function eventNamed(text, from = 0) {
  const [, writer, number] = /^(.+)#(\d+)$/.exec(text) ?? [], id = data.words.indexOf(writer);
  for (let i = from; writer && i < data.count; i++) {
    if (data.sequence[i] === +number && data.writer[i] === id) return i;
  }
}
