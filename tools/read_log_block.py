"""What stands in a part of a log: its header, the headers of its blocks, and their payloads.

Written from Sources/TraceLog/TraceLog.docc/LogFormat.md; § names a heading there. `Damage` is raised where bytes
are not what the document says; read_log.py says what a reader does then.
"""
import zlib
from collections import namedtuple
from struct import unpack_from

MAGIC, MARKER = bytes.fromhex("89 54 43 4C 0D 0A 1A 0A"), bytes.fromhex("C7 42 4C 4B 9E F3 0D B1")
# § Limits
MAX_HEADER, MAX_EVENTS, MAX_WRITERS, MAX_WRITER_NAME = 163840, 16384, 128, 1024
MAX_TEXT, MAX_ATTRIBUTES, MAX_UNKNOWN_VERBS = 65535, 64, 192
MAX_TEXTS, MAX_LISTS, MAX_LISTED_ATTRIBUTES = 98304, 32768, 98304
MAX_PLAIN, MAX_DEFLATED, MAX_MANTISSAS = 8388608, 8454144, 1048576
# § Record kinds: the words of the codes from 1 on; those with a star take no name (Events.md, §2).
VERBS = """profile* process.start* call return notify observe observed state work work.begin work.end acquire release
task.begin* task.end* task.granted* task.expire* task.expired* bgtask.register bgtask.launch bgtask.expire
bgtask.complete data.dirty* data.save* deliver complete snapshot.begin* snapshot.end* suspend* resume* sample kill*
exit* gap note*""".split()
TAKES_NAME = {verb.rstrip("*"): not verb.endswith("*") for verb in VERBS}
WORDS = ["", *TAKES_NAME, *[""] * 28]
SUBJECTS = ["", "app", "scene:", "session:", "task:", "nil"]
Event = namedtuple("Event", "instant writer verb name subject label value attributes sequence")
Writer = namedtuple("Writer", "name first last count")
Shape = namedtuple("Shape", "verb layout writer group name label reference")


class Damage(Exception):
    """Bytes that are not what the document says."""


class Refusal(Exception):
    """A file that is no log, or one of a later major version."""


def must(condition, otherwise):
    if not condition:
        raise Damage(otherwise)


def i64(number):
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


class Bytes:
    """§ Conventions: numbers and texts, one behind the other."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, count):
        must(count <= len(self.data) - self.place, "the data ends too early")
        self.place += count
        return self.data[self.place - count : self.place]

    def number(self, width):
        return int.from_bytes(self.take(width), "little")

    def varint(self, most=10):
        must(most > 0, "a varint has more than ten bytes")
        byte = self.number(1)
        return byte if byte < 0x80 else (byte & 0x7F | self.varint(most - 1) << 7) % (1 << 64)

    def zigzag(self):
        number = self.varint()
        return number >> 1 ^ -(number & 1)

    def text(self, length, most):
        must(length <= most, "a text is too long")
        return self.take(length).decode(errors="replace")

    def bits(self, count):
        """Of the mantissas: there the place counts bits."""
        start, self.place = self.place, self.place + count
        must(self.place <= 8 * len(self.data), "the mantissas end too early")
        chunk = int.from_bytes(self.data[start // 8 : (self.place + 7) // 8], "little")
        return chunk >> start % 8 & (1 << count) - 1


def header_at(data, place, magic, length_at, shortest):
    """The bytes of a header before its CRC, and the CRC."""
    must(data.startswith(magic, place) and len(data) - place >= shortest, "no header begins there")
    length = unpack_from("<I", data, place + length_at)[0]
    must(shortest <= length <= min(MAX_HEADER, len(data) - place), "a header's length cannot be")
    header, crc = data[place : place + length - 4], unpack_from("<I", data, place + length - 4)[0]
    must(zlib.crc32(header) == crc, "a header's CRC is wrong")
    return header, crc


class FileHeader:
    """§ File header."""

    def __init__(self, data):
        header, self.tag = header_at(data, 0, MAGIC, 12, 84)
        major, _, self.length, self.log_id = unpack_from("<HHI16s", header, 8)
        if major > 0:
            raise Refusal(f"it has version {major} of the format; this reads version 0")
        rest = Bytes(header[80:] or bytes([1] + [0] * 13))
        self.part, self.events_before, writers = rest.number(4), rest.number(8), rest.number(2)
        self.writers = [(rest.text(rest.number(2), MAX_HEADER), rest.number(8)) for _ in range(writers)]


class BlockHeader:
    """§ Block header."""

    def __init__(self, data, place, tag):
        header, self.crc = header_at(data, place, MARKER, 8, 92)
        (self.length, self.tag, self.number, self.chain, codec, flags, writers, self.events_before, self.events,
         self.checkpoint, _, self.last_instant, _, self.deflated, self.plain, self.mantissas, self.payload_crc,
         ) = unpack_from("<IIQIBBHQIIqqQIIII", header, 8)
        must(writers <= MAX_WRITERS and 1 <= self.events <= MAX_EVENTS >= self.checkpoint, "a count cannot be")
        must(self.deflated <= MAX_DEFLATED and self.plain <= MAX_PLAIN, "a length cannot be")
        must(self.mantissas <= MAX_MANTISSAS and codec == 1 and flags < 2, "a length, codec or flag cannot be")
        must(tag in (None, self.tag), "the block is of another log")
        rest = Bytes(header[88:])
        self.writers = [
            Writer(rest.text(rest.number(2), MAX_WRITER_NAME), rest.number(8), rest.number(8), rest.number(4))
            for _ in range(writers)
        ]
        self.payload, self.end = place + self.length, place + self.length + self.deflated + self.mantissas


class Payload:
    """§ Payload: the events of the checkpoint, and those of the block."""

    def __init__(self, block, payload):
        must(len(payload) == block.deflated + block.mantissas, "the log ends in the payload")
        must(zlib.crc32(payload) == block.payload_crc, "the payload's CRC is wrong")
        plain = Bytes(inflate(payload[: block.deflated], block.plain))
        self.tables(plain, block)
        self.columns(plain, block.checkpoint + block.events)
        self.mantissas = Bytes(payload[block.deflated :])
        self.instant, self.line, self.last_values, self.last_numbers = 0, 0, {}, [0] * 6
        self.expected = {writer.name: writer.first for writer in block.writers}
        self.next_jump = self.jumps.varint() if self.jumps.data else None
        events = [self.event(row, row - block.checkpoint) for row in range(len(self.rows))]
        must(all(column.place == len(column.data) for column in self.all), "the columns do not fit the rows")
        must((self.mantissas.place + 7) // 8 == block.mantissas, "the mantissas do not fit the rows")
        self.checkpoint, self.events = events[: block.checkpoint], events[block.checkpoint :]

    def tables(self, plain, block):
        texts = ["", *(plain.text(plain.varint(), MAX_TEXT) for _ in range(plain.varint()))]
        self.lists = [[(texts[plain.varint()], texts[plain.varint()]) for _ in range(plain.varint())]
                      for _ in range(plain.varint())]
        must(all(len(attributes) <= MAX_ATTRIBUTES for attributes in self.lists), "a list is too long")
        must(len(texts) <= MAX_TEXTS + 1 and len(self.lists) <= MAX_LISTS, "there are too many words")
        must(sum(map(len, self.lists)) <= MAX_LISTED_ATTRIBUTES, "there are too many attributes")
        words = WORDS + [texts[plain.varint()] for _ in range(plain.varint())]
        must(len(words) <= 64 + MAX_UNKNOWN_VERBS, "there are too many verbs")
        count = plain.varint()
        codes, layouts, writers, groups = (plain.take(count) for _ in range(4))
        names, labels = ([texts[plain.varint()] for _ in range(count)] for _ in range(2))
        references = [plain.varint() if layout & 1 else 0 for layout in layouts]
        must(all(group < 8 for group in groups), "there is no such time group")
        must(all(reference < count + 2 for reference in references), "there is no such shape")
        for layout in layouts:
            must(layout >> 5 < 6 and (2 <= layout >> 5 <= 4) == bool(layout & 2), "there is no such subject")
        verbs, writers = [words[code] for code in codes], [block.writers[writer].name for writer in writers]
        self.shapes = [*map(Shape, verbs, layouts, writers, groups, names, labels, references)]

    def columns(self, plain, count):
        lengths = [plain.varint() for _ in range(6)]
        rows = plain.take(count)
        if len(self.shapes) > 256:
            rows = [low | high << 8 for low, high in zip(rows, plain.take(count))]
        self.rows = [(row, self.shapes[row]) for row in rows]
        by_group = sorted(range(count), key=lambda row: self.rows[row][1].group)
        self.times = {row: plain.number(1) for row in by_group}
        self.all = [Bytes(plain.take(length)) for length in lengths]
        self.values, self.numbers, self.jumps, self.sequences, self.list_places, self.lines = self.all

    def event(self, row, place):
        """The event of a row; its place among the block's own is below 0 in the checkpoint."""
        number, shape = self.rows[row]
        self.instant = self.next_instant(self.times[row])
        value = self.next_value(number, shape.reference) if shape.layout & 1 else None
        kind, attributes = shape.layout >> 5, []
        if shape.layout & 2:
            self.last_numbers[kind] += self.numbers.zigzag()
        subject = SUBJECTS[kind] + (str(self.last_numbers[kind] % (1 << 32)) if shape.layout & 2 else "")
        if shape.layout & 4:
            self.line += self.lines.zigzag()
            attributes = [("line", str(self.line % (1 << 31)))]
        if shape.layout & 8:
            list_place = self.list_places.varint()
            pairs = self.lists[list_place] if list_place < len(self.lists) else []
            attributes = [pair for place, pair in enumerate(pairs)
                          if pair[0] not in [key for key, _ in pairs[:place]]]
        sequence = self.sequences.varint() if place < 0 else self.next_sequence(place, shape)
        return Event(self.instant, shape.writer, shape.verb, shape.name, subject, shape.label, value, attributes,
                     sequence)

    def next_instant(self, time_class):
        must(time_class <= 248, "there is no such time class")
        if time_class < 4 or time_class == 248:
            return i64(self.instant + time_class if time_class < 4 else self.mantissas.bits(64))
        width = time_class // 4 + 2 - 3
        return i64(self.instant + (4 + time_class % 4 << width) + self.mantissas.bits(width))

    def next_value(self, number, reference):
        value_class = self.values.number(1)
        magnitude, width = value_class & 0x7F, (value_class & 0x7F) // 2 + 1 - 2
        if magnitude >= 2:
            magnitude = (2 + magnitude % 2 << width) + self.mantissas.bits(width)
        last = 0 if reference == 0 else self.last_values.get(number if reference == 1 else reference - 2, 0)
        self.last_values[number] = i64(last - magnitude if value_class & 0x80 else last + magnitude)
        return self.last_values[number]

    def next_sequence(self, place, shape):
        """§ Order and time."""
        jump = 0
        if place == self.next_jump:
            jump, self.next_jump = self.jumps.zigzag(), None
            if self.jumps.place < len(self.jumps.data):
                self.next_jump = place + self.jumps.varint()
                must(self.next_jump > place, "a jump stands at the one before")
        if shape.layout & 16:
            return jump % (1 << 64)
        self.expected[shape.writer] += jump + 1
        return (self.expected[shape.writer] - 1) % (1 << 64)


def inflate(deflated, length):
    try:
        inflater = zlib.decompressobj(-15)
        plain = inflater.decompress(deflated, length + 1)
    except zlib.error as error:
        raise Damage(f"the payload does not inflate: {error}") from error
    must(inflater.eof and not inflater.unused_data and len(plain) == length, "the payload inflates to another length")
    return plain
