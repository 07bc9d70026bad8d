'use strict';

// What the page knows: columns, as the article PageFormat describes them.

const byId = (id) => document.getElementById(id);

function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

const tell = (id, text) => { byId(id).textContent = text; };

// The first place in a rising list that does not come before `value`.
function lowest(list, value, from = 0, to = list.length) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (list[middle] < value) from = middle + 1; else to = middle;
  }
  return from;
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

  // What few events have: by the event's number.
  sparse(isSigned) {
    const count = this.number(), events = this.rising(count), values = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const value = this.number();
      values[i] = !isSigned ? value : value % 2 ? -(value + 1) / 2 : value / 2;
    }
    return (event) => {
      const place = lowest(events, event);
      return events[place] === event ? values[place] : undefined;
    };
  }
}

// The fates of a bar that no event closed: its process ended, the log ended, or another process began.
const DIED = 1, GOES_ON = 2, REPLACED = 3;

// The bars of a row are disjoint and in order: events by number, and a word for each kind of begin, which
// the first of its kind brings along.
function readRow(columns, taught, size, data) {
  const row = {
    size, begin: new Uint32Array(size), end: new Uint32Array(size),
    word: new Uint32Array(size), fate: new Uint8Array(size),
  };
  const { verb, name, label, words } = data;
  for (let i = 0, event = 0; i < size; i++) {
    event += columns.number();
    const code = columns.number();
    row.begin[i] = event;
    row.end[i] = event + Math.floor(code / 8);
    if (code & 1) row.fate[i] = columns.number();
    const key = (verb[event] * words.length + name[event]) * words.length + label[event];
    row.word[i] = code & 2 ? columns.number() : taught.get(key);
    if (!(code & 4)) taught.set(key, row.word[i]);
  }
  return row;
}

function readData(bytes) {
  const columns = new Columns(bytes), head = columns.head, count = head.events;
  const data = { ...head, count, words: head.strings };
  data.instant = columns.instants(count, head.start);
  for (const key of ['writer', 'verb', 'name', 'subject', 'label']) data[key] = columns.numbers(count);
  data.value = columns.sparse(true);
  data.details = columns.sparse(false);
  data.lanes = head.lanes.map((lane) => {
    const taught = new Map(), size = lane.marks ?? 0;
    const rows = lane.rows.map((size) => readRow(columns, taught, size, data));
    if (size) rows.push({ size, begin: columns.rising(size) });
    return { ...lane, rows };
  });
  data.time = inOrder(data.instant);
  data.sequence = sequences(data);
  return data;
}

// Where a clock went back, the picture stands still until it has caught up.
function inOrder(instants) {
  let isInOrder = true;
  for (let i = 1; i < instants.length; i++) if (instants[i] < instants[i - 1]) isInOrder = false;
  if (isInOrder) return instants;
  const times = instants.slice();
  for (let i = 1; i < times.length; i++) times[i] = Math.max(times[i], times[i - 1]);
  return times;
}

// The numbers of events are dense by writer but for the jumps; a gap has none.
function sequences({ count, writer, verb, words, jumps }) {
  const numbers = new Uint32Array(count), last = new Float64Array(words.length);
  const known = new Map(jumps), gap = words.indexOf('gap');
  for (let i = 0; i < count; i++) {
    if (verb[i] === gap) continue;
    numbers[i] = last[writer[i]] = known.get(i) ?? last[writer[i]] + 1;
  }
  return numbers;
}

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
