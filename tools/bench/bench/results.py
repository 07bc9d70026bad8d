"""RESULTS.md, and the figures of the document about speed from there."""
import datetime
import os
import platform
import re
import subprocess
from pathlib import Path

from .measures import ALL, GOALS
from .programs import BENCH, ROOT
from .table import markdown, number

RESULTS = BENCH / "RESULTS.md"
SPEED = ROOT / "docs/inside/speed.md"
TITLES = {"record": "Recording", "size": "Bytes an event", "read": "Reading", "analyze": "Analysis", "scale": "Scale",
          "startup": "Starting up", "import": "Text in"}


def measure_all(shop, options):
    """Measures everything, and writes both documents; what was written by hand behind Notes stays."""
    rows = {name: measure(shop, options) for name, measure in ALL.items()}
    old = RESULTS.read_text() if RESULTS.exists() else ""
    notes = old.partition("\n## Notes\n")[2] or "\nNone.\n"
    sections = [f"## {TITLES[name]}\n\n{markdown(rows[name])}\n" for name in rows]
    missed = [row.what for all in rows.values() for row in all if row.goal is not None and not row.is_reached]
    RESULTS.write_text(
        f"# Results\n\nWritten by `tools/bench/run all`; the notes at the end are written by hand.\n\n{machine(options)}\n"
        f"## In short\n\n{short(rows)}\n" + "\n".join(sections) + f"\n## Notes\n{notes}")
    write_short()
    return f"{RESULTS.relative_to(ROOT)} is written; goals missed: {', '.join(missed) or 'none'}"


def machine(options):
    """Where and when it was measured, and what."""
    def said(path, pattern, otherwise):
        found = re.search(pattern, Path(path).read_text(), re.MULTILINE) if Path(path).exists() else None
        return found[1] if found else otherwise

    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True).stdout.strip()

    changes = ", with changes" if git("status", "--porcelain", "--untracked-files=no") else ""
    lines = {
        "processor": f"{said('/proc/cpuinfo', r'^model name.*: (.*)', platform.processor())}, {os.cpu_count()} cores",
        "system": said("/etc/os-release", r'^PRETTY_NAME="(.*)"', platform.system()),
        "Swift": subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout.split("\n")[0],
        "date": datetime.date.today().isoformat(),
        "commit": git("rev-parse", "--short", "HEAD") + changes,
        "logs": f"{options.events:,} events each, unless another number is said"}
    return "".join(f"- {name}: {value}\n" for name, value in lines.items())


def short(rows):
    """The table that the document about speed shows."""
    found = {name: {row.what: row for row in all} for name, all in rows.items()}

    def figure(measure, what):
        return number(found[measure][what].figure)

    def each(measure, what=""):
        return ", ".join(f"{figure(measure, workload + what)} {workload}" for workload in GOALS)

    memory = max(row.figure for what, row in found["analyze"].items() if what.endswith("resident"))
    return "\n".join([
        "| what | costs |", "|---|---|",
        f"| a fact | {figure('record', 'fact')} ns on the app's thread, of which reading the time takes "
        f"{figure('record', 'floor: counter')}; no lock, no allocation, no system call; "
        f"{figure('record', 'drain, CPU a fact')} ns on a thread in the background |",
        f"| an event in the log | bytes: {each('size')} |",
        f"| the analysis by all rules, on one core | million events a second: {each('analyze', ': all rules, one core')}; "
        f"resident {number(memory)} MB |",
        f"| NDJSON into a log | {figure('import', 'ndjson: into a log')} MB a second; resident "
        f"{figure('import', 'ndjson: resident')} MB |",
        ""])


def write_short():
    """Puts the table in short into the document about speed."""
    table = RESULTS.read_text().partition("## In short\n\n")[2].partition("\n\n")[0]
    before, head, rest = SPEED.read_text().partition("## In short\n\n")
    after = rest[rest.index("\n\n"):]
    SPEED.write_text(before + head + table + after)
