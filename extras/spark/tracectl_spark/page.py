"""A report as text for a terminal, and as one page for a browser that loads nothing."""
import re
import unicodedata
from html import escape

MOST = 10


def text(found):
    """The report for a terminal."""
    paragraphs = [_title(found)]
    for heading, columns, rows, note in sections(found):
        lines = [heading] + (_aligned(columns, rows) if rows else [])
        paragraphs.append("\n".join(lines + [f"  {line}" for line in note]))
    return "\n\n".join(paragraphs)


def sections(found):
    """What is told, in order: heading, names of columns, rows of words, notes. Both forms print these."""
    yield _releases(found)
    yield _causes(found)
    if found["after"]:
        yield _changes(found)
        yield _slower(found)
    yield _untold(found)
    yield _unread(found)


def _title(found):
    days = found["days"]
    span = "no day" if not days else days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}, {len(days)} days"
    logs = sum(row["sessions"] for row in found["releases"])
    return f"{inert(found['app'])}: {logs:,} sessions, {span}"


def _releases(found):
    columns = ["release", "sessions", "deaths", "in 1,000", "95 %", "in 100 h awake", "95 %", "unclear ends",
               "rules could tell"]
    rows = [
        [row["version"] or "(not stated)", f"{row['sessions']:,}", f"{row['deaths']:,}", _one(row["per_1000"]),
         f"{_one(row['per_1000_low'])} to {_one(row['per_1000_high'])}", _one(row["per_100_h"]),
         _interval(row["per_100_h_low"], row["per_100_h_high"]), f"{row['unclear']:,}", _percent(row["told"])]
        for row in found["releases"]]
    note = []
    deaths = found["deaths"]
    if deaths:
        note.append(f"{found['before']} → {found['after']}: by session p = {_p(deaths['p'])}; by hour awake "
                    f"{_times(deaths['rate_ratio'])} ({_times(deaths['rate_low'])} to {_times(deaths['rate_high'])}), "
                    f"p = {_p(deaths['rate_p'])}")
    if any(row["unclear"] for row in found["releases"]):
        note.append("Of an unclear end the log does not tell whether it is a death; it is not counted as one.")
    return "Deaths by release", columns, rows, note


def _causes(found):
    rows = [[f"{row['sessions']:,}", row["severity"], row["rule"], row["example"]] for row in found["causes"][:MOST]]
    note = [] if rows else ["No rule found anything. What rules could not tell is below."]
    return "Top causes, by sessions", ["sessions", "severity", "rule", "such as"], rows, note


def _changes(found):
    before, after = found["before"], found["after"]
    columns = ["", "rule", f"in {before}", f"in {after}", "times", "z", "p", "q", "such as"]
    told = [row for row in found["changes"] if row["change"] != "chance"]
    words = {"more": "MORE", "rarer": "rarer", "cannot-tell": "cannot tell"}
    rows = [
        [words[row["change"]], row["rule"], _share(row["a_logs"], row["a_able"]), _share(row["b_logs"], row["b_able"]),
         _times(row["ratio"]), f"{row['z']:.1f}" if row["q"] is not None else "", _p(row["p"]) if row["q"] is not None else "",
         _p(row["q"]) if row["q"] is not None else "", row["example"]]
        for row in told[:2 * MOST]]
    chance = len(found["changes"]) - len(told)
    note = [f"{chance} other {'cause differs' if chance == 1 else 'causes differ'} no more than chance does "
            "(q < 0.05, 5 logs, 1.2 times)."]
    note.append("Logs that have the cause, of the logs in which its rule could tell.")
    return f"What changed from {before} to {after}", columns, rows, note


def _slower(found):
    before, after = found["before"], found["after"]
    told = [row for row in found["slower"] if row["change"] == "slower"]
    rows = [
        [row["name"], _ms(row["a_p95_ms"]), _ms(row["b_p95_ms"]), _times(row["ratio"]), f"{row['a_count']:,}",
         f"{row['b_count']:,}", _p(row["q"])]
        for row in told[:MOST]]
    note = [] if rows else [f"None of {len(found['slower'])}: no 95th percentile is 1.2 times what it was, beyond chance."]
    columns = ["callback", f"p95 in {before}", f"p95 in {after}", "times", f"calls in {before}", f"calls in {after}", "q"]
    return f"Slower callbacks, from {before} to {after}", columns, rows, note


def _untold(found):
    rows = [
        [row["rule"], row["version"] or "(not stated)", _share(row["untold"], row["logs"])]
        for row in found["untold"][:MOST]]
    left = len(found["untold"]) - len(rows)
    note = [f"and {left:,} more pairs of rule and release"] if left > 0 else []
    return "What rules could not tell", ["rule", "release", "logs"], rows, note or ([] if rows else ["Nothing."])


def _unread(found):
    unread = found["unread"]
    rows = [[row["log"], row["day"], row["error"]] for row in unread[:MOST]]
    note = []
    if len(unread) > MOST:
        note.append(f"and {len(unread) - MOST:,} more")
    if not unread:
        note.append("None: every log could be read to its end.")
    if found["copies"]:
        note.append(f"{found['copies']:,} logs are copies of others; a session counts once.")
    return f"Logs that could not be read, or not to their end: {len(unread):,}", ["log", "day", "error"], rows, note


def inert(text):
    """A word of a log that can do nothing to a terminal: control characters and those that turn its direction
    round are written out."""
    return "".join(
        f"\\u{{{ord(mark):x}}}" if unicodedata.category(mark) in ("Cc", "Cf", "Zl", "Zp", "Cs") else mark
        for mark in str(text))


def _aligned(columns, rows, most=100):
    """Lines of a table: numbers to the right, the rest to the left, long words cut."""
    cells = [[inert(cell) for cell in row] for row in rows]
    cells = [[cell if len(cell) <= most else cell[:most - 1] + "…" for cell in row] for row in cells]
    widths = [max(len(line[place]) for line in [columns] + cells) for place in range(len(columns))]
    right = [all(_is_number(row[place]) for row in cells) for place in range(len(columns))]

    def line(words):
        shown = [word.rjust(width) if is_right else word.ljust(width)
                 for word, width, is_right in zip(words, widths, right)]
        return "  " + "  ".join(shown).rstrip()

    return [line(columns)] + [line(row) for row in cells]


NUMBER = re.compile(r"(–|new|-?\d[\d.,]*(e[-+]?\d+)?( (%|×|ms|of .*|to .*))?)?")


def _is_number(word):
    return NUMBER.fullmatch(word) is not None


def _one(value):
    return "–" if value is None else f"{value:,.1f}"


def _interval(low, high):
    return "–" if low is None else f"{_one(low)} to {_one(high)}"


def _percent(share):
    return "–" if share is None else f"{100 * share:.1f} %"


def _share(count, whole):
    return f"{count:,} of {whole:,}" + (f" ({100 * count / whole:.1f} %)" if whole else "")


def _times(ratio):
    if ratio is None or ratio != ratio:
        return "–"
    return "new" if ratio == float("inf") else f"{ratio:.1f} ×"


def _p(p):
    return f"{p:.2g}" if p >= 1e-4 else f"{p:.0e}"


def _ms(value):
    return f"{value:,.1f} ms"


STYLE = """
:root { color-scheme: light dark; --ink: light-dark(#1c2024, #e8eaed); --soft: light-dark(#60656c, #9aa0a6);
  --line: light-dark(#dfe3e8, #34393f); --bad: light-dark(#b3261e, #ff8a80); --bar: light-dark(#3b6fb6, #7fb0f0); }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: light-dark(#fff, #16181b);
  margin: 2.5rem auto; max-width: 78rem; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem } h2 { font-size: 1.1rem; margin: 2.2rem 0 .5rem }
.wide { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100% }
th { text-align: left; font-weight: 500; color: var(--soft); white-space: nowrap }
th, td { padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
td.n, th.n { text-align: right; white-space: nowrap } td { overflow-wrap: break-word }
td:first-child { white-space: nowrap } tr.more td:first-child { color: var(--bad); font-weight: 600 } p { color: var(--soft); margin: .4rem 0 }
svg { display: block; width: 100%; max-width: 46rem; height: auto; margin: .75rem 0 } svg text { fill: var(--ink); font-size: 13px }
svg .soft { fill: var(--soft) } svg line { stroke: var(--bar); stroke-width: 3; stroke-linecap: round }
svg line.grid { stroke: var(--line); stroke-width: 1 } svg circle { fill: var(--bar) }
@media print { body { margin: 0; max-width: none } }
"""


def html(found):
    """The report as a page."""
    title = _title(found)
    body = [f"<h1>{escape(title)}</h1>"]
    for place, (heading, columns, rows, note) in enumerate(sections(found)):
        body.append(f"<h2>{escape(inert(heading))}</h2>")
        if place == 0:
            body.append(_picture(found["releases"]))
        if rows:
            body.append(_table(columns, rows))
        body += [f"<p>{escape(inert(line))}</p>" for line in note]
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n<main>\n" + "\n".join(body) + "\n</main>\n</html>\n")


def _table(columns, rows):
    right = [all(_is_number(row[place]) for row in rows) for place in range(len(columns))]
    kinds = [' class="n"' if is_right else "" for is_right in right]
    head = "".join(f'<th scope="col"{kind}>{escape(inert(name))}</th>' for name, kind in zip(columns, kinds))
    lines = []
    for row in rows:
        mark = ' class="more"' if row[0] == "MORE" else ""
        cells = "".join(f"<td{kind}>{escape(inert(cell))}</td>" for cell, kind in zip(row, kinds))
        lines.append(f"<tr{mark}>{cells}</tr>")
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'


def _picture(releases):
    """Deaths in 1,000 sessions with their intervals, a line a release."""
    most = max([row["per_1000_high"] for row in releases] + [1])
    left, width, step = 130, 700, 28
    height = step * len(releases) + 24

    def x(value):
        return left + (width - left - 90) * value / most

    parts = [f'<line class="grid" x1="{x(0):.0f}" y1="0" x2="{x(0):.0f}" y2="{height - 20}"/>']
    for place, row in enumerate(releases):
        y = 16 + step * place
        parts.append(
            f'<text x="{left - 12}" y="{y + 4}" text-anchor="end">{escape(inert(row["version"] or "(not stated)"))}</text>'
            f'<line x1="{x(row["per_1000_low"]):.1f}" y1="{y}" x2="{x(row["per_1000_high"]):.1f}" y2="{y}"/>'
            f'<circle cx="{x(row["per_1000"]):.1f}" cy="{y}" r="5"/>'
            f'<text class="soft" x="{x(row["per_1000_high"]) + 12:.1f}" y="{y + 4}">{row["per_1000"]:.1f}</text>')
    parts.append(f'<text class="soft" x="{x(0):.0f}" y="{height - 4}">deaths in 1,000 sessions, with 95 % intervals</text>')
    return (f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="Deaths in 1,000 sessions by release">'
            + "".join(parts) + "</svg>")
