#!/usr/bin/env python3
"""Prints the events of logs as `tracectl dump --ndjson --no-limit` does: tools/read_log.py [--numbers] LOG…

A second reader, written from Sources/TraceLog/TraceLog.docc/LogFormat.md; § names a heading there. What stands in
a part is read by read_log_block.py. The reader is short and slow, holds a log in memory, and reads no ring. Of
several logs each is preceded by `==> LOG <==`. Standard error tells what is wrong with them.

Exit status: 0 every log was read, damaged ones too; 2 wrong usage; 3 a log cannot be read, or is none.
"""
import os
import re
import sys
import zlib
from itertools import takewhile

sys.dont_write_bytecode = True
from read_log_block import MAGIC, MARKER, MAX_HEADER, TAKES_NAME
from read_log_block import BlockHeader, Damage, Event, FileHeader, Payload, Refusal, Writer, must

MAX_SEARCH, MAX_I64 = 1048576, (1 << 63) - 1
# Events.md, §7: what stands escaped in a text.
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
HARMFUL = re.compile(r'["\\\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|(?<=#)#')


class LogReader:
    """§ Parts, § Gaps and § Reading algorithm."""

    def __init__(self, path):
        self.path, self.problems = path, []
        # The gap that tells of the parts before the first, until it is out.
        self.opening = None
        # What was read or told as missing: the last sequence of each writer, events, the last instant.
        self.last, self.counted, self.instant, self.has_lost = {}, 0, 0, False

    def events(self):
        newest = self.part(self.path)
        parts = [*self.older_parts(newest[1]), newest]
        for data, header in filter(None, parts):
            yield from self.enter(header, parts) if header else []
            yield from self.blocks(data, header, is_newest=data is newest[0])
        yield from [self.opening._replace(instant=self.instant)] if self.opening else []

    def part(self, path):
        """The bytes of a file, and its header if that is whole."""
        with open(path, "rb") as file:
            data = file.read()
        try:
            return data, FileHeader(data)
        except Damage:
            return data, None

    def older_parts(self, newest):
        """§ Parts: what lies beside the newest one, from the oldest; `None` for a lost part."""
        folder, name = os.path.split(self.path)
        files = [re.fullmatch(re.escape(name) + r"\.([1-9]\d*)", file) for file in os.listdir(folder or ".")]
        end = newest.part if newest else 1
        for number in range(min([int(file[1]) for file in files if file and int(file[1]) < end] or [end]), end):
            try:
                data, header = self.part(f"{self.path}.{number}")
                is_part = header and header.part == number and header.log_id == newest.log_id
                must(is_part, "it is no part of the log")
                yield data, header
            except (OSError, Damage, Refusal) as error:
                self.problems.append(f"part {number} is lost: {error}")
                yield None

    def enter(self, header, parts):
        """§ Parts: what a part's header says is missing before it."""
        if header is next(filter(None, parts))[1]:
            if header.part > 1:
                self.opening = gap("rotated" if parts[0] else "corrupt-block", 0)._replace(value=header.events_before)
        else:
            writers = [Writer(name, last + 1, last, 1) for name, last in header.writers]
            yield from self.missing(writers, header.events_before)
        self.last.update(header.writers)
        self.counted = header.events_before

    def blocks(self, data, header, is_newest):
        """§ Reading algorithm."""
        place, cause = (header.length, None) if header else self.first_block(data)
        tag = chain = header and header.tag
        number, is_open = 0, bool(cause)
        while place < len(data):
            try:
                block = BlockHeader(data, place, tag)
            except Damage as damage:
                self.problems.append(f"byte {place}: {damage}")
                cause, is_open = "torn-tail" if is_torn(data[place:]) else "corrupt-block", True
                place = next_block(data, place + 1, tag)
                continue
            tag, cause = block.tag, "corrupt-block"
            if block.number < number:
                self.problems.append(f"byte {place}: block {block.number} stands twice or too late")
                place = block.end
                continue
            is_next = block.number == number
            follows = is_next and block.chain == (tag if chain is None else chain)
            self.has_lost |= is_open or not follows or block.events_before > self.counted
            if self.has_lost:
                yield from self.missing(block.writers, block.events_before, is_next and not follows)
            number, chain, is_open = block.number + 1, block.crc, False
            place = yield from self.payload(data, place, block, is_newest)
        yield from [gap(cause, self.instant)] if is_open and is_newest else []

    def payload(self, data, place, block, is_newest):
        """§ Reading algorithm, step 5: yields the events, or what is missing; returns where to go on."""
        events, end = [], block.end
        try:
            payload = Payload(block, data[block.payload : block.end])
        except (Damage, LookupError) as damage:
            reason = damage if isinstance(damage, Damage) else "a number refers to nothing"
            self.problems.append(f"byte {place}: block {block.number} is lost: {reason}")
            yield from self.beginning([], self.instant)
            if is_torn_payload(data, block):
                yield from self.lost(block, "torn-tail") if is_newest else []
                return len(data)
            yield from self.lost(block, "corrupt-block")
            if block.end != len(data) and not data.startswith(MARKER, block.end):
                end = block.payload
        else:
            yield from self.beginning(payload.checkpoint, payload.events[0].instant)
            yield from (events := payload.events)
        self.passed(block, events)
        return end

    def first_block(self, data):
        """§ Reading algorithm, step 1, if the file header is damaged; if no block follows, the cause of the gap."""
        place = next_block(data, 0, None)
        if not data or data[:8] != MAGIC[: len(data)] and place >= min(MAX_SEARCH, len(data)):
            raise Refusal("it is no log")
        self.problems.append("byte 0: the file header is damaged")
        return place, None if place < len(data) else "torn-tail" if len(data) < 84 else "corrupt-block"

    def beginning(self, checkpoint, first):
        """§ Parts: what a log begins with whose first part is not 1."""
        if self.opening:
            state = [event for event in checkpoint if event.verb != "gap"]
            starts = [row for row, event in enumerate(state, 1) if event.verb == "process.start"]
            behind = starts[-1] if starts else len([*takewhile(lambda event: event.verb == "profile", state)])
            instant = [*(event.instant for event in state), first][behind - 1 if starts else behind]
            within = [("within", duration(min(first - instant, MAX_I64)))] if first > instant else []
            yield from [*state[:behind], self.opening._replace(instant=instant, attributes=within), *state[behind:]]
            self.opening = None

    def missing(self, writers, events_before, is_unexplained=False):
        """§ Gaps: what a header says is missing before it."""
        told = []
        for writer in writers:
            first = self.last.get(writer.name, 0) + 1
            if writer.count and first < writer.first:
                told.append(gap("corrupt-block", self.instant, writer.name, first, writer.first - 1))
        if events_before - self.counted > sum(gap.value for gap in told) or is_unexplained and not told:
            told.append(gap("corrupt-block", self.instant))
        self.has_lost |= bool(told)
        return told

    def lost(self, block, cause):
        """§ Gaps: what is missing of a block whose header survives."""
        told = [gap(cause, self.instant, *writer[:3]) for writer in block.writers if writer.count]
        return told or [gap(cause, self.instant)]

    def passed(self, block, events):
        """Counts a block that was read, or told as lost, and the losses that its events tell."""
        told = [dict(event.attributes) for event in events if event.verb == "gap"]
        self.last.update((writer.name, writer.last) for writer in block.writers if writer.count)
        for loss in told:
            if "writer" in loss and re.fullmatch("[0-9]+", loss.get("to", "")):
                self.last[loss["writer"]] = max(self.last.get(loss["writer"], 0), int(loss["to"]))
        self.counted, self.instant = block.events_before + block.events, block.last_instant


def gap(cause, instant, writer=None, first=0, last=0):
    attributes = [] if writer is None else [("writer", writer), ("from", str(first)), ("to", str(last))]
    count = min(last - first + 1, MAX_I64) if attributes else -1
    return Event(instant, "-", "gap", cause, "", "", count, attributes, 0)


def next_block(data, place, tag):
    """§ Reading algorithm, step 3; the end of the log if no block follows."""
    while (place := data.find(MARKER, place)) >= 0:
        try:
            return BlockHeader(data, place, tag) and place
        except Damage:
            place += 1
    return len(data)


def is_torn(rest):
    """§ Reading algorithm: whether bytes without a block are zeros, or a block header's start."""
    length = int.from_bytes(rest[8:12], "little") if len(rest) >= 12 else MAX_HEADER
    return not any(rest) or rest[:8] == MARKER[: len(rest)] and len(rest) < length <= MAX_HEADER


def is_torn_payload(data, block):
    """§ Reading algorithm: whether the log ends in this payload, or in zeros from its end on."""
    if block.end > len(data):
        return MARKER not in data[block.payload :]
    is_wrong = zlib.crc32(data[block.payload : block.end]) != block.payload_crc
    return is_wrong and not any(data[max(block.payload, block.end - 16) :])


def duration(nanoseconds):
    """Events.md, §6: `4.1004s`, `12ms`."""
    unit, digits = next(unit for unit in (("s", 9), ("ms", 6), ("us", 3), ("ns", 0)) if nanoseconds >= 10 ** unit[1])
    whole, part = divmod(nanoseconds, 10**digits)
    return (f"{whole}.{part:0{digits}}".rstrip("0") if part else str(whole)) + unit


def json(value):
    """Events.md, §7: a number, a text or attributes."""
    if isinstance(value, list):
        return "{" + ",".join(f"{json(key)}:{json(text)}" for key, text in value) + "}"
    if isinstance(value, int):
        return str(value)
    return '"' + HARMFUL.sub(lambda match: ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", value) + '"'


def ndjson(event, is_numbered):
    name = event.name if TAKES_NAME.get(event.verb, event.name) else None
    members = {"t": event.instant, "writer": event.writer, "verb": event.verb, "name": name,
               "subject": event.subject or None, "label": event.label or None, "value": event.value,
               "attributes": event.attributes or None, "sequence": event.sequence if is_numbered else None}
    return "{" + ",".join(f'"{key}":{json(value)}' for key, value in members.items() if value is not None) + "}"


def main(arguments):
    paths = [argument for argument in arguments if argument != "--numbers"]
    status = 0 if paths else print(__doc__, file=sys.stderr) or 2
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    for path in paths:
        print(f"==> {path} <==\n" * (len(paths) > 1), end="")
        reader = LogReader(path)
        try:
            for event in reader.events():
                print(ndjson(event, "--numbers" in arguments))
        except (OSError, Refusal) as error:
            reader.problems.append(error)
            status = 3
        for problem in reader.problems:
            print(f"{path}: {problem}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
