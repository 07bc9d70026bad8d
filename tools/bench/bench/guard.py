"""Instructions of the hot paths, counted by callgrind: they say the same on a busy machine, where times do not."""
import json
import re
import shutil
import sys

from .programs import BENCH, Workshop, figures, run
from .table import Row

LIMITS = BENCH / "limits.json"
EVENTS = 50_000
# A path may cost so much more than its limit: compilers and libraries differ a little.
TOLERANCE = 0.05
# Steps of a recorder, of each workload's log, and of text.
RECORDING = ["fact", "off", "drain"]
READING = ["decode", "fold", "analyze"]
TEXTS = ["ndjson", "notation"]


def guard(options):
    """Rows of instructions beside their limits; with --update, the limits become what was counted."""
    if not shutil.which("valgrind"):
        print("tools/bench/run: SKIPPED: instructions are not counted for lack of valgrind", file=sys.stderr)
        return []
    shop = Workshop("bench")
    counts = {step: instructions(shop, step, shop.file("guard.bin")) for step in RECORDING}
    for workload in shop.WORKLOADS:
        log = shop.log(workload, EVENTS)
        counts |= {f"{workload}: {step}": instructions(shop, step, log) for step in READING}
    for form in TEXTS:
        counts[f"work: {form}, a byte"] = instructions(shop, form, shop.form(form, shop.log("work", EVENTS)))
    if options.update:
        write(counts)
    limits = json.loads(LIMITS.read_text())["instructions"]
    return [Row(name, count, "instructions", goal=round(limits[name] * (1 + TOLERANCE), 1),
                note="far below: --update" if count < 0.85 * limits[name] else "")
            for name, count in counts.items()]


def instructions(shop, step, path):
    """The instructions of a step, for each thing that it handles."""
    out = shop.file("callgrind.out")
    # Hashes, and so the orders of sets, are else others in each process. The compiler makes functions of its own of
    # bench_measured, for each of what it measures.
    done = run(["valgrind", "--quiet", "--tool=callgrind", "--toggle-collect=*bench_measured*",
                f"--callgrind-out-file={out}", shop.bin / "bench", "step", step, path],
               environment={"SWIFT_DETERMINISTIC_HASHING": "1"})
    count, _ = figures(done.text)[step]
    total = int(re.search(r"^(?:totals|summary): (\d+)", out.read_text(), re.MULTILINE)[1])
    if not total:
        sys.exit(f"tools/bench/run: callgrind saw nothing of {step}: is bench_measured still a function?")
    return total / count


def write(counts):
    content = {"about": "Written by tools/bench/run guard --update: instructions for each event, fact or byte",
               "instructions": {name: round(count, 1) for name, count in counts.items()}}
    LIMITS.write_text(json.dumps(content, indent=2) + "\n")
