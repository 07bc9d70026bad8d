#!/usr/bin/env python3
"""Prints the events of logs as `tracectl dump --format ndjson --no-limit` does, in ASCII: tools/read_log.py [--numbers] LOG…

A second reader, written from Sources/TraceLog/TraceLog.docc/LogFormat.md; § names a heading there. It is slow, and
reads no ring. Of several logs each is preceded by `==> LOG <==`. Standard error tells which blocks are lost.
Exit status: 0 every log was read, damaged ones too; 2 wrong usage; 3 a log cannot be read, or is none.
"""
import json
import re
import sys
import zlib
from collections import deque, namedtuple
from contextlib import suppress
from ctypes import c_int64
from pathlib import Path
from struct import unpack_from

MAGIC, MARKER, CUT_MARK = b"\x89TCL\r\n\x1a\n", bytes.fromhex("C7 42 4C 4B 9E F3 0D B1"), b"\x52"
# § Limits
MAX_SEARCH, MAX_HEADER, MAX_WRITERS, MAX_WRITER_NAME, MAX_EVENTS = 1048576, 163840, 128, 1024, 16384
MAX_DEFLATED, MAX_PLAIN, MAX_MANTISSAS, MAX_TEXT, MAX_TEXTS = 8454144, 8388608, 1048576, 65535, 98304
MAX_UNKNOWN_VERBS, MAX_LISTS, MAX_ATTRIBUTES, MAX_LISTED_ATTRIBUTES, MAX_I64 = 192, 32768, 64, 98304, (1 << 63) - 1
# § Record kinds: the words of the codes from 1 on; those with a star take no name (Events.md, §2).
VERBS = """profile* process.start* call return notify observe observed state work work.begin work.end acquire release
task.begin* task.end* task.granted* task.expire* task.expired* bgtask.register bgtask.launch bgtask.expire
bgtask.complete data.dirty* data.save* deliver complete snapshot.begin* snapshot.end* suspend* resume* sample kill*
exit* gap note*""".split()
TAKES_NAME = {verb.rstrip("*"): not verb.endswith("*") for verb in VERBS}
# § Payload: the kind of subject, and whether it is numbered, by these bits of the layout.
SUBJECTS = {0x00: None, 0x20: "app", 0x42: "scene:", 0x62: "session:", 0x82: "task:", 0xA0: "nil"}
# What is raised where bytes are not what the document says, or end too early; and what is said of a torn tail.
DAMAGE, TORN = (ValueError, LookupError, zlib.error), "the log ends in the payload"
Part = namedtuple("Part", "data tag length log_id number before writers", defaults=(None, 0, None, 1, 0, {}))
Part.has_block = property(lambda part: next_block(part.data, 0, part.tag) is not None)
Event = namedtuple("Event", "t writer verb name subject label value attributes sequence")


def must(condition, otherwise):
    if not condition:
        raise ValueError(otherwise)


class Bytes(deque):
    """§ Conventions: numbers and texts, one behind the other; of the mantissas bits."""
    def take(self, count, most=MAX_PLAIN):
        must(count <= most, "a text or a column is too long")
        return bytes(self.popleft() for _ in range(count))

    def number(self, width, bits=8):
        return sum(self.popleft() << bits * place for place in range(width))

    def varint(self, most=10):
        must(most > 0, "a varint has more than ten bytes")
        byte = self.popleft()
        return byte if byte < 0x80 else (byte & 0x7F | self.varint(most - 1) << 7) % (1 << 64)

    def zigzag(self):
        return (number := self.varint()) >> 1 ^ -(number & 1)

    def text(self, length, most=MAX_TEXT):
        return self.take(length, most).decode(errors="replace")

    def many(self, most, read):
        count = self.varint()
        must(count <= most, "there are too many texts, lists, attributes or verbs")
        return [read() for _ in range(count)]

    def scaled(self, number, steps):
        """The number of a class; between powers of two stand four steps of time, or one of a value."""
        width = number // steps - 1
        return number if width < 0 else (steps + number % steps << width) + self.number(width, bits=1)


def header_at(data, place, magic, length_at, shortest):
    """The bytes of a header before its CRC, and the CRC."""
    length = int.from_bytes(data[place + length_at : place + length_at + 4], "little")
    must(data.startswith(magic, place) and shortest <= length <= min(MAX_HEADER, len(data) - place), "it is no header")
    header, crc = data[place : place + length - 4], unpack_from("<I", data, place + length - 4)[0]
    must(zlib.crc32(header) == crc, "a header's CRC is wrong")
    return header, crc


def part_at(path):
    """§ File header: one without a tag is damaged."""
    data = Path(path).read_bytes()
    with suppress(*DAMAGE):
        header, tag = header_at(data, 0, MAGIC, 12, 84)
        major, _, length, log_id = unpack_from("<HHI16s", header, 8)
        if major > 0:
            raise OSError(f"it has version {major} of the format; this reads version 0")
        rest = Bytes(header[80:] or bytes([1] + [0] * 13))
        number, before, count = rest.number(4), rest.number(8), rest.number(2)
        must(number < 1 << 31 and before <= 1 << 62, "a number cannot be")
        writers = {rest.text(rest.number(2)): rest.number(8) for _ in range(count)}
        return Part(data, tag, length, log_id, number, before, writers)
    block = next_block(data, 0, None)
    if not data or data[:8] != MAGIC[: len(data)] and not (block and block.place < MAX_SEARCH):
        raise OSError("it is no log")
    return Part(data)


def part_or_none(path):
    with suppress(OSError):
        return part_at(path)


def next_block(data, place, tag):
    """§ Reading algorithm, step 3; `None` if no block follows."""
    while (place := data.find(MARKER, place)) >= 0:
        with suppress(*DAMAGE):
            return Block(data, place, tag)
        place += 1


class Block:
    """§ Block header and § Payload."""
    def __init__(self, data, place, tag):
        header, self.crc = header_at(data, place, MARKER, 8, 92)
        (length, self.tag, self.number, self.chain, codec, flags, count, self.before, self.events, self.checkpoint, _,
         self.last, _, self.deflated, self.plain, mantissas, self.sum) = unpack_from("<IIQIBBHQIIqqQIIII", header, 8)
        must(count <= MAX_WRITERS and 1 <= self.events <= MAX_EVENTS >= self.checkpoint and
             max(self.number, self.before) <= 1 << 62, "a count cannot be")
        must(self.deflated <= MAX_DEFLATED and self.plain <= MAX_PLAIN and mantissas <= MAX_MANTISSAS, "it is too long")
        must(codec == 1 and flags < 2 and tag in (None, self.tag), "the codec, flags or log is another one")
        rest = Bytes(header[88:])
        self.writers = [(rest.text(rest.number(2), MAX_WRITER_NAME), rest.number(8), rest.number(8), rest.number(4))
                        for _ in range(count)]
        self.place, self.behind, self.end = place, place + length, place + length + self.deflated + mantissas
        self.payload = data[self.behind : self.end]

    def read(self, data):
        """The events of the checkpoint, and those of the block. Of a key twice in a list the first pair counts."""
        must(self.end <= len(data), TORN if MARKER not in data[self.behind :] else "bytes are missing")
        is_torn = not any(data[max(self.behind, self.end - 16) :])
        must(zlib.crc32(self.payload) == self.sum, TORN if is_torn else "the payload's CRC is wrong")
        inflater = zlib.decompressobj(-15)
        plain = Bytes(inflater.decompress(self.payload[: self.deflated], self.plain + 1))
        must(inflater.eof and not inflater.unused_data and len(plain) == self.plain, "it inflates to another length")
        texts = ["", *plain.many(MAX_TEXTS, lambda: plain.text(plain.varint()))]

        def word():
            return texts[plain.varint()]
        lists = plain.many(MAX_LISTS, lambda: plain.many(MAX_ATTRIBUTES, lambda: (word(), word())))
        must(sum(map(len, lists)) <= MAX_LISTED_ATTRIBUTES, "there are too many attributes")
        verbs, count = ["", *TAKES_NAME, *[""] * 28, *plain.many(MAX_UNKNOWN_VERBS, word)], plain.varint()
        codes, layouts, writers, groups = (plain.take(count) for _ in range(4))
        names, labels = ([word() for _ in range(count)] for _ in range(2))
        references = [plain.varint() if layout & 1 else 0 for layout in layouts]
        must(max(groups, default=0) < 8 and max(references, default=0) < count + 2, "there is no such group or shape")
        shapes = [*zip([self.writers[writer][0] for writer in writers], [verbs[code] for code in codes], names,
                       [SUBJECTS[layout & 0xE2] for layout in layouts], labels, layouts, references)]
        lists = {place: dict(pairs + pairs[::-1]) for place, pairs in enumerate(lists) if pairs}
        lengths, count = [plain.varint() for _ in range(6)], self.checkpoint + self.events
        rows = plain.take(count)
        if len(shapes) > 256:
            rows = [low | high << 8 for low, high in zip(rows, plain.take(count))]
        times = dict(zip(sorted(range(count), key=lambda place: groups[rows[place]]), plain.take(count)))
        columns = [Bytes(plain.take(length)) for length in lengths]
        columns.append(Bytes(byte >> bit & 1 for byte in self.payload[self.deflated :] for bit in range(8)))
        rows = [(row, times[place], *shapes[row]) for place, row in enumerate(rows)]
        events = [*self.events_of(rows, lists, *columns)]
        must(not any(columns[:6]) and len(columns[6]) < 8, "the columns do not fit the rows")
        return events[: self.checkpoint], events[self.checkpoint :]

    def events_of(self, rows, lists, values, numbers, jumps, sequences, places, lines, mantissas):
        instant, line, last_values, last_numbers = 0, 0, {}, [0] * 6
        expected, next_jump = {writer[0]: writer[1] for writer in self.writers}, jumps.varint() if jumps else None
        # The place among the block's own events is below 0 in the checkpoint.
        for place, (row, time, writer, verb, name, subject, label, layout, base) in enumerate(rows, -self.checkpoint):
            must(time <= 248, "there is no such time class")
            instant = c_int64(mantissas.number(64, 1) if time == 248 else instant + mantissas.scaled(time, 4)).value
            value = None
            if layout & 1:
                value_class, last = values.popleft(), last_values.get(row if base == 1 else base - 2, 0)
                must(value_class & 0x7F <= 64, "there is no such value class")
                difference = mantissas.scaled(value_class & 0x7F, 1)
                value = last_values[row] = c_int64(last - difference if value_class >> 7 else last + difference).value
            if layout & 2:
                last_numbers[layout >> 5] += numbers.zigzag()
                subject += str(last_numbers[layout >> 5] % (1 << 32))
            line += lines.zigzag() if layout & 4 else 0
            attributes = {"line": str(line % (1 << 31))} if layout & 4 else None
            attributes = lists.get(places.varint()) if layout & 8 else attributes
            sequence = sequences.varint() if place < 0 else 0
            if place == next_jump:
                sequence, next_jump = jumps.zigzag(), place + jumps.varint() if jumps else None
                must(next_jump != place, "a jump stands at the one before")
            if place >= 0 and not layout & 16:
                sequence += expected[writer]
                expected[writer] = sequence + 1
            yield Event(instant, writer, verb, name, subject, label or None, value, attributes, sequence % (1 << 64))


class LogReader:
    """§ Parts, § Gaps and § Reading algorithm."""
    def read(self, path):
        self.path = Path(path)
        parts, is_beginning_lost, is_end_lost = self.parts()
        first, *_ = parts
        # What was read or told as missing; and the gap that tells of the parts before the first, until it is out.
        self.last, self.counted, self.instant, self.has_lost = first.writers, first.before, 0, False
        cause, value = "corrupt-block" if is_beginning_lost else "rotated", min(first.before, MAX_I64)
        self.opening = [gap(cause, 0)._replace(value=value)] if first.number > 1 else []
        for part, later in zip(parts, [*parts[1:], None]):
            writers = [(name, last + 1, last, 1) for name, last in part.writers.items()]
            yield from self.missing(writers, part.before)
            self.last, self.counted = {**self.last, **part.writers}, part.before
            limit = later.before if later and later.tag is not None else float("inf")
            yield from self.blocks(part.data, part.length, part.tag, limit, is_newest=part is parts[-1])
        yield from [gap("corrupt-block", self.instant)] if is_end_lost else []
        yield from [gap._replace(t=self.instant) for gap in self.opening]

    def parts(self):
        """The parts in order; whether what stood before them is lost, and what stood behind them."""
        files = {file.suffix[1:]: file for file in self.path.parent.iterdir() if file.stem == self.path.name}
        beside = {int(end): part_or_none(files[end]) for end in files if re.fullmatch("[1-9][0-9]*", end)}
        head = part_or_none(self.path) or Part(b"")
        is_cut = head.tag is not None and head.data[head.length :][:1] == CUT_MARK
        if head.tag and head.number == 1 and not is_cut:
            beside.pop(1, None)
        named = {number: part for number, part in beside.items() if part and part.tag and part.number == number}
        log_id = head.log_id or named and named[max(named)].log_id
        parts = {number: part for number, part in named.items() if part.log_id == log_id}
        is_lost = not head.has_block and head.tag is None or head.number > 1 and head.number in parts
        is_bare = len(head.data) == head.length and max(parts, default=0) > head.number
        if not parts or not (is_cut or is_bare or is_lost):
            parts[head.number] = head if parts or not is_lost else part_at(self.path)
        numbers = sorted(parts)
        end = any(part and not part.tag and part.has_block for number, part in beside.items() if number > numbers[-1])
        end = end or is_cut and not named
        return [*map(parts.get, numbers)], is_lost or numbers[0] > min(beside, default=numbers[0]), end

    def blocks(self, data, place, tag, limit, is_newest):
        number, chain, cause = 0, tag, None
        if tag is not None and data[place : place + 1] == CUT_MARK:
            return
        while place < len(data) and (block := next_block(data, place, tag)):
            cause = "corrupt-block" if block.place > place and tag is not None else cause
            place, tag = block.end, block.tag
            if block.number < number or block.before >= limit:
                continue
            follows = block.chain == (tag if chain is None else chain)
            self.has_lost |= bool(cause) or block.number > number or not follows or block.before > self.counted
            if self.has_lost:
                yield from self.missing(block.writers, block.before, block.number == number and not follows)
            before, number, chain, cause = chain, block.number + 1, block.crc, None
            try:
                checkpoint, events = block.read(data)
                yield from self.beginning(checkpoint, events[0].t)
            except DAMAGE as damage:
                print(f"{self.path}: byte {block.place}: block {block.number} is lost: {damage}", file=sys.stderr)
                yield from self.beginning([], self.instant)
                loss = "torn-tail" if TORN in damage.args else "corrupt-block"
                events = [gap(loss, self.instant, *writer[:3]) for writer in block.writers if writer[3]]
                events = events or [gap(loss, self.instant)]
                if loss == "torn-tail":
                    yield from events if is_newest else []
                    return
                if block.end != len(data) and not data.startswith(MARKER, block.end):
                    place = block.behind
                then = next_block(data, place, tag)
                if then and then.number == number and then.chain != block.crc:
                    number, chain, cause = block.number, before, "corrupt-block"
                    continue
            yield from events
            self.last.update((writer[0], writer[2]) for writer in block.writers if writer[3])
            for told in (event.attributes or {} for event in events if event.verb == "gap"):
                if "writer" in told and re.fullmatch("[0-9]+", told.get("to", "")):
                    self.last[told["writer"]] = max(self.last.get(told["writer"], 0), int(told["to"]))
            self.counted, self.instant = block.before + block.events, block.last
        if place < len(data):
            # Zeros, a block header's start, or few bytes of a file header.
            rest, length = data[place:], int.from_bytes(data[place + 8 : place + 12], "little")
            is_start = rest[:8] == MARKER[: len(rest)] and (len(rest) < 12 or len(rest) < length <= MAX_HEADER)
            cause = "torn-tail" if is_start or not any(rest) or tag is None and len(data) < 84 else "corrupt-block"
        yield from [gap(cause, self.instant)] if cause and is_newest else []

    def beginning(self, checkpoint, first):
        """§ Parts: what a log begins with whose first part is not 1."""
        for opening in self.opening:
            state = [event for event in checkpoint if event.verb != "gap"]
            starts = [row for row, event in enumerate(state, 1) if event.verb == "process.start"]
            others = [row for row, event in enumerate(state) if event.verb != "profile"]
            behind = starts[-1] if starts else [*others, len(state)][0]
            instant = [*(event.t for event in state), first][behind - 1 if starts else behind]
            if first > instant:
                within = min(first - instant, MAX_I64)
                size = min(len(str(within)) - 1, 9) // 3 * 3
                within = f"{within // 10**size}.{within % 10**size:0{size}}".rstrip("0").rstrip(".")
                opening = opening._replace(attributes={"within": within + ("ns", "us", "ms", "s")[size // 3]})
            yield from [*state[:behind], opening._replace(t=instant), *state[behind:]]
        self.opening = []

    def missing(self, writers, events_before, is_unexplained=False):
        """§ Gaps: what a header says is missing before it."""
        told = [gap("corrupt-block", self.instant, name, self.last.get(name, 0) + 1, first - 1)
                for name, first, _, count in writers if count and self.last.get(name, 0) + 1 < first]
        if events_before - self.counted > sum(gap.value for gap in told) or is_unexplained and not told:
            told.append(gap("corrupt-block", self.instant))
        self.has_lost |= bool(told)
        return told


def gap(cause, instant, writer=None, first=1, last=-1):
    attributes = {"writer": writer, "from": str(first), "to": str(last)} if writer is not None else None
    return Event(instant, "-", "gap", cause, None, None, min(last - first + 1, MAX_I64), attributes, 0)


def ndjson(event, is_numbered):
    name = event.name if TAKES_NAME.get(event.verb, event.name) else None
    members = event._replace(name=name, sequence=event.sequence if is_numbered else None)._asdict().items()
    return json.dumps({key: value for key, value in members if value is not None}, separators=(",", ":"))


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    paths = [argument for argument in sys.argv[1:] if argument != "--numbers"]
    status = 0 if paths else print(__doc__, file=sys.stderr) or 2
    for path in paths:
        print(f"==> {path} <==\n" * (len(paths) > 1), end="")
        try:
            sys.stdout.writelines(f"{ndjson(event, '--numbers' in sys.argv)}\n" for event in LogReader().read(path))
        except OSError as error:
            status = print(f"{path}: {error}", file=sys.stderr) or 3
    sys.exit(status)
