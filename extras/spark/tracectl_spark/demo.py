"""A fleet to try the commands on: logs that `tracectl simulate` plays, with a bug in the newest release."""
import os
import random
import shutil
import string
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tracectl_spark import program
from tracectl_spark.runs import UsageError

MARK = ".tracectl-fleet-demo"
"""A file in each folder that a demo made: only such a folder is replaced."""

DAY = "2026-11-21"
SCENARIOS = Path(__file__).with_name("scenarios")

RELEASES = {"4.9.0": (811, 0.2), "4.9.1": (815, 0.4), "4.10.0": (902, 0.4)}
"""Version: build, and share of the sessions. 4.10.0 is the newest."""

DEVICES = ["iPhone14,5", "iPhone15,2", "iPhone16,2", "iPad14,3"]
SYSTEMS = ["18.2", "26.0"]

USUAL = {"leave": 0.55, "glance": 0.30, "push": 0.08, "lock": 0.02, "slow": 0.03, "timer": 0.02}
"""What sessions of each release do, and in what share: the last three are bugs that are as old as the app."""

PLANTED = 0.02
"""The share of sessions of the newest release that leak a task."""


def play(options):
    """Plays the logs below OUTPUT/logs/day=…; returns their folder, and OUTPUT/tables for their tables."""
    if options.logs < 10:
        raise UsageError(f"--logs {options.logs}: a fleet has 10 logs at least")
    folder, tables = _folders(Path(options.output))
    place = folder / f"day={DAY}"
    place.mkdir()
    chance = random.Random(options.seed)
    sessions = [_session(chance, number) for number in range(options.logs)]
    command = program.program(options.tracectl)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda session: _play(command, place, *session), sessions))
    # What a gateway stores when it fails: the report must tell it, and go on.
    sorted(place.glob("*.bin"))[options.logs // 2].write_text("<html>504 Gateway Time-out</html>\n")
    return str(folder), str(tables)


def _folders(output):
    """OUTPUT/logs, emptied, and OUTPUT/tables, whose day is replaced; neither may hold what no demo made."""
    folders = [output / "logs", output / "tables"]
    for folder in folders:
        is_free = not os.path.lexists(folder) or folder.is_dir() and not any(folder.iterdir())
        if not (is_free or (folder / MARK).is_file()):
            raise UsageError(f"{folder}: no demo made it, and this one would replace what is in it; "
                             "choose another folder by -o, or move it away")
    if folders[0].exists():
        shutil.rmtree(folders[0])
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARK).touch()
    return folders


def _session(chance, number):
    """The number of a session, its scenario, and its cohort."""
    version = _pick(chance, {name: share for name, (_, share) in RELEASES.items()})
    scenario = _pick(chance, USUAL)
    if version == "4.10.0" and chance.random() < PLANTED:
        scenario = "leak"
    cohort = {
        "version": version, "build": RELEASES[version][0], "device": chance.choice(DEVICES),
        "os": chance.choice(SYSTEMS), "install": f"{chance.getrandbits(64):016x}",
    }
    return number, scenario, cohort


def _pick(chance, shares):
    return chance.choices(list(shares), list(shares.values()))[0]


def _play(command, place, number, scenario, cohort):
    text = string.Template((SCENARIOS / f"{scenario}.yml").read_text()).substitute(cohort)
    log = place / f"{number:06}.bin"
    done = subprocess.run(
        command + ["simulate", "-", "--vary", "--seed", str(number), "--replace", "-q", "-o", str(log)],
        input=text.encode(), capture_output=True)
    if done.returncode != 0:
        raise program.TracectlError(f"tracectl simulate ended with {done.returncode}: {done.stderr.decode()}")
