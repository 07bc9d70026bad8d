'use strict';

// What the page knows: columns, as the article PageFormat describes them.

const { abs, ceil, floor, log2, log10, max, min, round } = Math;

const byId = (id) => document.getElementById(id);
const allOf = (selector) => document.querySelectorAll(selector);

function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

const { format } = new Intl.NumberFormat('en');
const many = (count, what) => `${format(count)} ${what}${count === 1 ? '' : 's'}`;

const tell = (id, text) => { byId(id).textContent = text; };

// The first place in a rising list that does not come before `value`.
function lowest(list, value, from = 0, to = list.length) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (list[middle] < value) from = middle + 1; else to = middle;
  }
  return from;
}

// The same for a place that is not far behind `from`.
function lowestNear(list, value, from = 0) {
  let to = from, step = 1;
  while (to < list.length && list[to] < value) {
    from = to + 1;
    to += step;
    step *= 2;
  }
  return lowest(list, value, from, min(to, list.length));
}

async function unpacked(text) {
  const packed = atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Columns {
  constructor(bytes) {
    const length = new DataView(bytes.buffer).getUint32(0, true);
    this.head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    this.bytes = bytes;
    this.at = 4 + length;
  }

  number() {
    const bytes = this.bytes;
    let at = this.at, value = 0, unit = 1, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * unit;
      unit *= 128;
    } while (byte > 127);
    this.at = at;
    return value;
  }

  numbers(count) {
    const list = new Uint32Array(count);
    for (let i = 0; i < count; i++) list[i] = this.number();
    return list;
  }

  rising(count) {
    const list = this.numbers(count);
    for (let i = 1; i < count; i++) list[i] += list[i - 1];
    return list;
  }

  // Instants: the time since the event before plus one, or 0 and then how far the clock went back.
  instants(count, start) {
    const list = new Float64Array(count);
    for (let i = 0, time = start; i < count; i++) {
      const step = this.number();
      time += step ? step - 1 : -this.number();
      list[i] = time;
    }
    return list;
  }

  signed() {
    const value = this.number();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  // What few events have, or few bars of a row: by their places.
  sparse(isSigned) {
    const count = this.number(), at = this.rising(count), values = new Float64Array(count);
    for (let i = 0; i < count; i++) values[i] = isSigned ? this.signed() : this.number();
    const of = (event) => {
      const place = lowest(at, event);
      return at[place] === event ? values[place] : undefined;
    };
    return { at, values, of };
  }
}

// The fates of a bar that no event closed: its process ended, the log ended, or, with 3, it is not recorded. It
// may end beyond its last event on the page.
const DIED = 1, GOES_ON = 2, BEYOND = 4;

// The bars of a row are disjoint and in order.
function readRow(columns, size, { time }) {
  const row = {
    size, begin: new Uint32Array(size), end: new Uint32Array(size),
    word: new Uint32Array(size), fate: new Uint8Array(size),
    from: new Float64Array(size), until: new Float64Array(size),
  };
  for (let i = 0, event = 0; i < size; i++) {
    event += columns.number();
    const code = columns.number();
    row.begin[i] = event;
    row.end[i] = event + (code >> 2);
    if (code & 1) row.fate[i] = columns.number();
    row.word[i] = columns.number();
    row.from[i] = time[event] - (code & 2 ? columns.signed() : 0);
    row.until[i] = time[row.end[i]] + (row.fate[i] & BEYOND ? columns.signed() : 0);
  }
  row.leftOut = columns.sparse();
  return row;
}

function readData(bytes) {
  const columns = new Columns(bytes), head = columns.head, count = head.events;
  const data = { ...head, count, words: head.strings };
  data.instant = columns.instants(count, head.start);
  readKinds(columns, data);
  data.value = columns.sparse(true).of;
  data.details = columns.sparse().of;
  data.jumps = columns.sparse().of;
  data.leftOut = columns.sparse();
  data.time = inOrder(data.instant);
  data.marks = head.marks.map(([color, text, count, steps]) => {
    let event = 0;
    return { color, text, count, times: Float64Array.from(steps, (step) => data.time[event += step]) };
  });
  data.lanes = head.lanes.map((lane) => {
    const size = lane.marks ?? 0, rows = lane.rows.map((size) => readRow(columns, size, data));
    if (size) rows.push(readMarks(columns, size, data));
    return { ...lane, rows };
  });
  data.sequence = sequences(data);
  return data;
}

// What events say: the number of a kind that an event before was of, or 0 and then the kind.
const MOST_KINDS = 65536;

function readKinds(columns, data) {
  const kinds = [];
  const says = ['writer', 'verb', 'name', 'subject', 'label'].map((key) => data[key] = new Uint32Array(data.count));
  for (let i = 0; i < data.count; i++) {
    const number = columns.number(), kind = number ? kinds[number - 1] : columns.numbers(5);
    if (!number && kinds.length < MOST_KINDS) kinds.push(kind);
    for (let k = 0; k < 5; k++) says[k][i] = kind[k];
  }
}

function readMarks(columns, size, { time }) {
  const begin = columns.rising(size);
  return { size, begin, from: Float64Array.from(begin, (event) => time[event]), leftOut: columns.sparse() };
}

// Where a clock went back, the picture stands still until it has caught up.
function inOrder(instants) {
  const times = instants.slice();
  for (let i = 1; i < times.length; i++) times[i] = max(times[i], times[i - 1]);
  return times;
}

// The numbers of events are dense by writer but for the jumps; a gap has none.
function sequences({ count, writer, verb, words, jumps }) {
  const numbers = new Uint32Array(count), last = new Float64Array(words.length);
  const gap = words.indexOf('gap');
  for (let i = 0; i < count; i++) {
    if (verb[i] === gap) continue;
    numbers[i] = last[writer[i]] = jumps(i) ?? last[writer[i]] + 1;
  }
  return numbers;
}

// The findings stand in the page itself. An event of theirs that the page does not draw has no place.
const readFindings = () => [...findingItems()].map((item) => ({
  ...item.dataset, severity: item.classList[0], message: item.querySelector('b').textContent,
  witnesses: [...item.querySelectorAll('.witnesses > li')].map(({ dataset, className, textContent }) => ({
    role: className, says: textContent, event: eventNamed(dataset.event, lowest(data.time, +dataset.t)),
    after: eventNamed(dataset.after), before: eventNamed(dataset.before), until: dataset.until && +dataset.until,
  })),
}));

// How reports name an event: main#12.
const reference = (event) => `${data.words[data.writer[event]]}#${data.sequence[event]}`;

// An event in the words of the notation, without instant and writer.
function eventWords(event) {
  const { words } = data, label = data.label[event], details = data.details(event);
  return [
    words[data.name[event]], words[data.subject[event]], label ? `"${words[label]}"` : '',
    data.value(event) ?? '', details === undefined ? '' : words[details],
  ].filter((word) => word !== '').join(' ');
}

const eventText = (event) => `${data.words[data.verb[event]]} ${eventWords(event)}`;
