"""What is measured: each function returns rows. Of times it is CPU time, medians of rounds that take turns."""
import re

from .peers import packed
from .programs import ROOT, figures, run, run_twice_at_once, take_turns
from .table import Row

EVENTS = 1_000_000


def record(shop, options):
    """A fact of an app, with the recorder on and off, and what draining takes."""
    jobs = {"tracectl": lambda: {name: found[0] for name, found in figures(shop.bench("record").text).items()}}
    jobs |= options.peers.recorders()
    found = take_turns(jobs)
    own = found.pop("tracectl")

    def others(key):
        return {name: all[key] for name, all in found.items() if key in all}

    facts = ["call and return", "fact, two threads", "fact by clock", "sample", "note", "made label"]
    note = "some facts were refused: too slow a machine" if own.get("refused") else ""
    return [
        *(Row(f"floor: {name}", own[name], "ns") for name in ("call", "counter", "clock", "store")),
        Row("fact", own["fact"], "ns", own["counter"], own["counter"] + 8, note=note, peers=others("fact")),
        Row("fact, recorder off", own["off"], "ns", own["call"], own["call"] + 1, peers=others("off")),
        *(Row(name, own[name], "ns", own["counter"]) for name in facts),
        Row("drain, CPU a fact", own["drain"], "ns", goal=120),
        *(Row(f"{name}: fact", all["fact"], "ns", own["counter"]) for name, all in sorted(found.items())),
    ]


def size(shop, options):
    """Bytes an event, beside an estimate of what its model must spend at least."""
    rows = []
    for workload in shop.WORKLOADS:
        log = shop.log(workload, options.events)
        parts = {name: all[0] for name, all in figures(shop.bench("size", log).text).items()}
        events, own = parts.pop("events"), parts.pop("bytes")
        floor = sum(parts.values())
        others = {name: bytes / events for name, bytes in options.peers.sizes(log).items()}
        others["NDJSON, gzip"] = packed(shop.form("ndjson", log)) / events
        rows += [Row(workload, own / events, "B", floor, 1.05 * floor, peers=others),
                 *(Row(f"{workload}: {name}", bytes, "B", floor) for name, bytes in sorted(others.items()))]
    return rows


def read(shop, options):
    """Decoding, and folding the state, beside seeing every byte."""
    jobs = {}
    for workload in shop.WORKLOADS:
        log = shop.log(workload, options.events)
        for step in ("bytes", "visit", "decode", "fold", "encode"):
            jobs[workload, step] = lambda step=step, log=log: shop.step(step, log)
        for name, job in options.peers.readers(log).items():
            jobs[workload, name] = lambda job=job: 1e9 * job() / options.events
    found = take_turns(jobs)

    rows = []
    for workload in shop.WORKLOADS:
        own = {name: time for (of, name), time in found.items() if of == workload}
        log = shop.log(workload, options.events)
        floor = own.pop("bytes") * log.stat().st_size / options.events
        visit, decode, fold, encode = (own.pop(step) for step in ("visit", "decode", "fold", "encode"))
        rows += [
            Row(f"{workload}: floor, every byte", floor, "ns"),
            Row(f"{workload}: floor, look at events in memory", visit, "ns"),
            Row(f"{workload}: decode", decode, "ns", floor, 12, peers=own),
            Row(f"{workload}: decode and fold", fold, "ns", floor),
            Row(f"{workload}: encode", encode, "ns", floor),
            *(Row(f"{workload}: {name}", time, "ns", floor) for name, time in sorted(own.items()))]
    return rows


# Millions of events a second, by workload.
GOALS = {"work": 20, "scenes": 10, "lives": 6, "storm": 6}


def analyze(shop, options):
    """All rules: on one core, on two, with statistics; and memory."""
    command = ["analyze", "--config", "none", "--fail-on", "never"]
    jobs = {}
    for workload in shop.WORKLOADS:
        log = shop.log(workload, options.events)
        for step in ("decode", "analyze", "statistics"):
            jobs[workload, step] = lambda step=step, log=log: shop.step(step, log)
        for cores in (1, 2):
            jobs[workload, cores] = lambda log=log, cores=cores: told(shop.tracectl(*command, log, cores=cores))
    four = [shop.log(workload, options.events) for workload in shop.WORKLOADS]
    for cores in (1, 2):
        jobs["all four", cores] = lambda cores=cores: told(shop.tracectl(*command, *four, cores=cores))
    jobs["twice at once"] = lambda: run_twice_at_once([shop.bin / "tracectl", *command, *four])
    storm = shop.log("storm", options.events)
    found = take_turns(jobs)

    rows = []
    for workload in shop.WORKLOADS:
        one, decode = found[workload, "analyze"], found[workload, "decode"]
        rows += [
            Row(f"{workload}: all rules, one core", 1000 / one, "M events/s", 1000 / decode, GOALS[workload], rises=True),
            Row(f"{workload}: with statistics", 100 * (found[workload, "statistics"] / one - 1), "% more", goal=15),
            *cores_rows(found, workload),
            Row(f"{workload}: resident", found[workload, 2]["megabytes"], "MB", goal=32)]
    # What two processes gain that share nothing is what two cores of this machine can give.
    floor = 2 * found["all four", 1]["wall"] / found["twice at once"]
    return rows + [*cores_rows(found, "all four"),
                   Row("floor: two processes on two cores", floor, "× one core")]


def told(done):
    return {"wall": done.wall, "megabytes": done.megabytes}


def cores_rows(found, what):
    ratio = found[what, 1]["wall"] / found[what, 2]["wall"]
    return [Row(f"{what}: two cores", ratio, "× one core", goal=1.6, rises=True)]


def scale(shop, options):
    """Time, memory and bytes of ever longer logs, and of logs in which ever more is open."""
    rows = []
    for workload in ("work", "lives"):
        first = None
        for events in [count for count in (1_000_000, 10_000_000, 100_000_000) if count <= options.longest]:
            log = shop.log(workload, events)
            time = shop.step("analyze", log, seconds=3600)
            done = shop.tracectl("analyze", "--config", "none", "--fail-on", "never", log, seconds=3600)
            bytes = log.stat().st_size / events
            first = first or (time, bytes)
            note = f"{bytes:.2f} B an event, resident {done.megabytes:.0f} MB"
            rows.append(Row(f"{workload}: {events:,} events, all rules", time, "ns an event", first[0], 1.1 * first[0],
                            note=note))
            log.unlink()
    for kind in OPEN_THINGS:
        rows += open_things(shop, kind, options.most)
    return rows


# Of what much can be open at once, or leave something behind.
OPEN_THINGS = (
    "scenes", "tasks", "calls", "locks", "sockets", "labels", "listeners", "launches", "discards", "early", "expired",
    "callbacks", "timers", "verbs", "writers", "gaps", "data", "deliveries", "sessions", "processes")


def open_things(shop, kind, most):
    """What one more thing costs while ever more is open, without what a log costs in which one is; not further than
    a minute a log."""
    rows, alone, first = [], None, None
    for count in [count for count in (1, 10_000, 100_000, 1_000_000) if count <= most]:
        path = shop.file("open.bin")
        if not shop.bench("open", kind, count, path, seconds=900, checked=False).succeeded:
            return rows + [Row(f"{count:,} open {kind}", 900, "s", goal=0, note="not written in that time")]
        done = shop.bench("step", "analyze", path, seconds=60, checked=False)
        if not done.succeeded:
            return rows + [Row(f"{count:,} open {kind}", 60, "s", goal=0, note="stopped")]
        events, time = figures(done.text)["analyze"]
        if alone is None:
            alone = time
            continue
        each = (time - alone) / count
        first = first or each
        rows.append(Row(f"{count:,} open {kind}", each, "ns a thing", first, 1.5 * first,
                        note=f"{events / count:.1f} events a thing, resident {done.megabytes:.0f} MB"))
    return rows


def startup(shop, options):
    """From nothing to the end, by the clock."""
    small = shop.log("work", 200)
    jobs = {
        "true": lambda: run(["true"]).wall,
        "help": lambda: shop.tracectl("--help").wall,
        "small": lambda: shop.tracectl("analyze", "--config", "none", small).wall,
        "steps": lambda: {name: all[0] for name, all in figures(shop.bench("start").text).items()},
    }
    found = take_turns(jobs, 21)
    floor = 1000 * found["true"]
    return [
        Row("floor: a program that does nothing", floor, "ms"),
        Row("--help", 1000 * found["help"], "ms", floor, 5),
        Row("analyze a small log", 1000 * found["small"], "ms", floor, 15),
        *(Row(f"in a process: {name}", time, "µs") for name, time in found["steps"].items())]


def imports(shop, options):
    """Text in: parsing alone, and the command with what it writes."""
    log = shop.log("work", options.events)
    texts = {form: shop.form(form, log) for form in ("ndjson", "notation")}
    texts["console"] = shop.file("console.log")
    write_capture(texts["console"], min(30_000_000, texts["ndjson"].stat().st_size))
    out = shop.file("imported.bin")

    def command(form):
        source = "trace" if form == "notation" else form
        words = ["record", "--quiet", "--source", source, *(["--app", "Notes"] if form == "console" else []), "-o", out]
        done = shop.tracectl(*words, texts[form])
        out.unlink()
        return {"speed": texts[form].stat().st_size / done.cpu / 1e6, "megabytes": done.megabytes}

    jobs = {("parse", form): lambda form=form: 1000 / shop.step(form, texts[form]) for form in ("ndjson", "notation")}
    jobs |= {form: lambda form=form: command(form) for form in texts}
    found = take_turns(jobs)
    goals = {"ndjson": 100, "notation": 60}
    return [
        *(Row(f"{form}: parse", found["parse", form], "MB/s", goal=goals[form], rises=True) for form in goals),
        *(Row(f"{form}: into a log", found[form]["speed"], "MB/s", goal=goals.get(form), rises=True) for form in texts),
        *(Row(f"{form}: resident", found[form]["megabytes"], "MB", goal=32) for form in texts)]


def write_capture(path, size):
    """A console capture of a cycle a minute, as Console.app copies it."""
    cycle = (ROOT / "samples/console/healthy-cycle.log").read_bytes()

    def later(minutes):
        def moved(found):
            minute = 60 * int(found[1]) + int(found[2]) + minutes
            return b"\t%02d:%02d:" % (minute // 60 % 24, minute % 60)
        return re.sub(rb"\t(\d\d):(\d\d):", moved, cycle)

    with open(path, "wb") as file:
        for minutes in range(size // len(cycle)):
            file.write(later(minutes))


ALL = {"record": record, "size": size, "read": read, "analyze": analyze, "scale": scale, "startup": startup,
       "import": imports}
