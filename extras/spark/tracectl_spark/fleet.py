"""The command `tracectl-fleet`: logs of a fleet into tables, and what the tables tell."""
import argparse
import sys

from tracectl_spark import engines, page, runs
from tracectl_spark.report import report

INTERVAL = "95 %"


def main(arguments=None):
    """Exit status: 0 the work is done, 2 wrong usage, 3 logs cannot be read or tables not written."""
    options = _parser().parse_args(arguments)
    try:
        options.work(options)
    except runs.UsageError as error:
        _end(2, error)
    except ValueError as error:
        _end(2, error)
    except (OSError, RuntimeError) as error:
        _end(3, error)
    return 0


def _end(status, error):
    print(f"tracectl-fleet: {error}", file=sys.stderr)
    sys.exit(status)


def _parser():
    parser = argparse.ArgumentParser(
        prog="tracectl-fleet", description="Analyzes logs of many devices on Spark, and compares releases.")
    commands = parser.add_subparsers(required=True, metavar="command")
    _add_run(commands)
    _add_report(commands)
    _add_demo(commands)
    return parser


def _add_run(commands):
    command = commands.add_parser("run", help="make tables of the logs of a day", description=(
        "Writes OUT/{processes,findings,rules,durations,logs}/day=DAY. A rerun replaces that day alone."))
    command.add_argument("source", metavar="IN", help="a folder or bucket of logs, which may have folders day=…")
    command.add_argument("out", metavar="OUT", help="where the tables are, or will be")
    command.add_argument("--day", required=True, help="such as 2026-11-21")
    command.add_argument("--by", default=",".join(runs.BY), help="what makes a cohort (default: %(default)s)")
    _add_spark(command)
    command.set_defaults(work=_run)


def _add_spark(command):
    command.add_argument("--master", help="such as spark://host:7077 (default: what spark-submit says, or local[*])")
    command.add_argument("--tracectl", help="the program, on every worker (default: TRACECTL, or on the PATH)")


def _add_report(commands):
    command = commands.add_parser("report", help="tell how sessions end, by release")
    command.add_argument("out", metavar="OUT", help="the tables that run wrote")
    command.add_argument("--day", action="append", default=[], help="only this day; may be given several times")
    _add_choice(command)
    command.add_argument("--app", help="the app, where there are several")
    command.set_defaults(work=_report)


def _add_choice(command):
    command.add_argument("--from-version", help="the release to compare with (default: the one before)")
    command.add_argument("--to-version", help="the release that is compared (default: the newest)")
    command.add_argument("--html", metavar="FILE", help="write a page as well")
    command.add_argument("--engine", choices=["auto", "duckdb", "spark"], default="auto",
                         help="what asks the tables (default: DuckDB where it is installed, else Spark)")


def _add_demo(commands):
    command = commands.add_parser("demo", help="play a fleet, and report it", description=(
        "Plays a fleet with tracectl simulate. Its newest release leaks a task in 2 percent of its sessions."))
    command.add_argument("--logs", type=int, default=2000, help="how many logs (default: %(default)s)")
    command.add_argument("--seed", type=int, default=0, help="the chance that plays them (default: %(default)s)")
    command.add_argument("-o", "--output", default="tracectl-fleet-demo", help="its folder (default: %(default)s)")
    _add_choice(command)
    _add_spark(command)
    command.set_defaults(work=_demo, day=[], app=None)


def _run(options):
    from tracectl_spark import session
    by = [word.strip() for word in options.by.split(",") if word.strip()]
    extra = {"tracectl": options.tracectl} if options.tracectl else {}
    spark = session.session(options.master)
    try:
        counts = runs.run(spark, options.source, options.out, options.day, by, extra)
    except Exception as error:
        if isinstance(error, (runs.UsageError, ValueError, OSError)):
            raise
        raise RuntimeError(_cause(error)) from error
    print(f"{options.day}: {counts['logs']:,} logs, {counts['unread']:,} of them cannot be read or not to their end; "
          f"{counts['sessions']:,} sessions, {counts['findings']:,} findings → {options.out}")


def _cause(error):
    """What went wrong in a task: the last line that Python wrote there, without Spark's own."""
    lines = str(error).splitlines()
    told = [line for line in lines if "TracectlError:" in line or line.startswith(("FileNotFoundError:", "ValueError:"))]
    return told[-1].split("Error: ", 1)[1] if told else str(error)


def _report(options):
    found = report(engines.engine(options.engine, options.out, options.day), options.app,
                   options.from_version, options.to_version)
    print(page.text(found))
    if options.html:
        with open(options.html, "w", encoding="utf-8") as file:
            file.write(page.html(found))


def _demo(options):
    from tracectl_spark import demo
    options.source, options.out = demo.play(options)
    options.by, options.day = ",".join(runs.BY), demo.DAY
    _run(options)
    options.day = []
    _report(options)


if __name__ == "__main__":
    sys.exit(main())
