"""What a fleet's tables tell of its releases, as values; `page` and `fleet` print them."""
import re

from tracectl_spark import statistics
from tracectl_spark.runs import UsageError

LEAST = 5
"""In how many logs of one release a cause must stand to be told as more frequent there, or as rarer."""
RATIO = 1.2
Q = 0.05


def report(engine, app=None, before=None, after=None):
    """The answers to all questions about one app; `before` and `after` are the releases to compare."""
    days = [row["day"] for row in engine.rows("select distinct day from received order by day")]
    if not days:
        raise UsageError("there is no log of these days; tracectl-fleet run makes the tables of a day")
    app = _app(engine, app)
    engine.choose(app)
    releases = [_release(row) for row in engine.ask("deaths_per_1000")]
    releases.sort(key=lambda row: version_key(row["version"]))
    before, after = _sides(releases, before, after)
    _give_sides(engine, before, after)
    unread = engine.ask("unread")
    found = {
        "app": app or "(not stated)", "engine": engine.name, "before": before, "after": after,
        "days": days, "releases": releases, "deaths": _deaths(releases, before, after),
        "causes": engine.ask("top_causes"),
        "changes": changes(engine.ask("regressions")) if after else [],
        "slower": slower(engine.ask("slower")) if after else [],
        "untold": engine.ask("cannot_tell"), "cohorts": engine.ask("cohorts"),
        "unread": unread, "copies": _copies(engine),
    }
    return found


def version_key(version):
    """Orders versions by their numbers; words such as beta come before the release itself."""
    if version is None:
        return ((-2, 0, ""),)
    parts = re.findall(r"\d+|[A-Za-z]+", version)
    keys = [(1, int(part), "") if part.isdigit() else (-1, 0, part) for part in parts]
    return tuple(keys) + ((0, 0, version),)


def changes(rows):
    """Causes and how their share of logs differs between the releases; what is told first, the most certain first.

    A row has a_logs of a_able and b_logs of b_able. All rows of at least five logs are one family for q; `change`
    is more, rarer, chance, or cannot-tell where in one release no log could tell.
    """
    judged = []
    for row in rows:
        if row["a_logs"] + row["b_logs"] < LEAST:
            continue
        z, p = statistics.proportions(row["a_logs"], row["a_able"], row["b_logs"], row["b_able"])
        judged.append(dict(row, z=z, p=p, ratio=_ratio(row["a_logs"], row["a_able"], row["b_logs"], row["b_able"])))
    told = [row for row in judged if row["a_able"] and row["b_able"]]
    for row, q in zip(told, statistics.benjamini_hochberg([row["p"] for row in told])):
        row["q"] = q
        is_more = q < Q and row["b_logs"] >= LEAST and row["ratio"] >= RATIO
        is_rarer = q < Q and row["a_logs"] >= LEAST and row["ratio"] <= 1 / RATIO
        row["change"] = "more" if is_more else "rarer" if is_rarer else "chance"
    untold = [dict(row, q=None, change="cannot-tell") for row in judged if not (row["a_able"] and row["b_able"])]
    return sorted(told, key=lambda row: (row["change"] == "chance", row["q"], row["p"], row["fingerprint"])) + untold


def slower(rows):
    """Callbacks that take longer, the most certain first.

    Compared is how many calls take longer than the 95th percentile of the former release. Calls of one session
    are not independent, so q is too sure; the ratio of the percentiles must be 1.2 too.
    """
    rows = [row for row in rows if row["a_count"] + row["b_count"] >= 2 * LEAST]
    tests = [
        statistics.proportions(row["a_above"], row["a_count"], row["b_above"], row["b_count"]) for row in rows]
    found = []
    for row, (z, p), q in zip(rows, tests, statistics.benjamini_hochberg([p for _, p in tests])):
        ratio = row["b_p95_ms"] / row["a_p95_ms"] if row["a_p95_ms"] else (1.0 if not row["b_p95_ms"] else float("inf"))
        is_slower = q < Q and z > 0 and ratio >= RATIO and row["b_above"] >= LEAST
        found.append(dict(row, z=z, p=p, q=q, ratio=ratio, change="slower" if is_slower else "chance"))
    return sorted(found, key=lambda row: (row["q"], row["name"]))


def _ratio(a, trials_a, b, trials_b):
    if not (trials_a and trials_b):
        return None
    return (b / trials_b) / (a / trials_a) if a else float("inf")


def _app(engine, wanted):
    rows = engine.rows(
        "select coalesce(app, '') as app, count(*) as logs from received where error is null or events > 0 "
        "group by coalesce(app, '') order by logs desc, app")
    apps = [row["app"] for row in rows]
    if wanted is not None:
        if wanted not in apps:
            raise UsageError(f"--app {wanted}: no log is of this app; there are {', '.join(apps) or 'none'}")
        return wanted
    if len(apps) > 1:
        shown = ", ".join(f"{row['app'] or '(not stated)'} ({row['logs']:,} logs)" for row in rows)
        raise UsageError(f"there are logs of several apps: {shown}; choose one by --app")
    return apps[0] if apps else ""


def _sides(releases, before, after):
    """The two newest releases, or those that were named."""
    known = [row["version"] for row in releases if row["version"] is not None]
    for option, version in (("--from-version", before), ("--to-version", after)):
        if version is not None and version not in known:
            raise UsageError(f"{option} {version}: there is no such release; there are {', '.join(known) or 'none'}")
    after = after or (known[-1] if known else None)
    older = [version for version in known if version_key(version) < version_key(after)] if after else []
    before = before or (older[-1] if older else None)
    return (before, after) if before and after else (None, None)


def _give_sides(engine, before, after):
    import pyarrow as pa
    sides = [(before, "a"), (after, "b")] if after else []
    engine.give("sides", pa.table({
        "version": pa.array([version for version, _ in sides], pa.string()),
        "side": pa.array([side for _, side in sides], pa.string())}))


def _release(row):
    """A release with its intervals: Wilson's of the share, Garwood's of the rate."""
    low, high = statistics.wilson(row["deaths"], row["sessions"])
    fewest, most = statistics.poisson(row["deaths"])
    hours = row["hours"] or 0
    return dict(
        row, per_1000_low=1000 * low, per_1000_high=1000 * high,
        per_100_h_low=100 * fewest / hours if hours else None, per_100_h_high=100 * most / hours if hours else None)


def _deaths(releases, before, after):
    """Whether sessions of the newer release die more often: by session, and by hour awake."""
    if not after:
        return None
    a, b = (next(row for row in releases if row["version"] == version) for version in (before, after))
    z, p = statistics.proportions(a["deaths"], a["sessions"], b["deaths"], b["sessions"])
    ratio, low, high, rate_p = statistics.rate_ratio(
        a["deaths"], a["hours"] or 0, b["deaths"], b["hours"] or 0)
    return {"z": z, "p": p, "rate_ratio": ratio, "rate_low": low, "rate_high": high, "rate_p": rate_p}


def _copies(engine):
    (app,) = engine.rows("select count(*) as logs from received r join chosen c on c.app = coalesce(r.app, '')")
    (once,) = engine.rows("select count(*) as logs from logs")
    return app["logs"] - once["logs"]
