"""Which logs lie in a folder or a bucket, and how many of them one task reads."""
import os
import re
import shutil
from dataclasses import dataclass, field
from urllib.parse import unquote

from pyarrow import fs

ENDINGS = (".bin", ".trace", ".ndjson", ".ips", ".crash")
"""What tracectl takes for a log in a folder."""

KEY = re.compile(r"^([A-Za-z_]\w*)=(.*)$")
PART = re.compile(r"^(.*)\.(?:ring|\d+)$")


@dataclass
class Log:
    """A log: its path below the folder, and all its files with their sizes, older parts and ring among them."""

    path: str
    files: list = field(default_factory=list)

    @property
    def size(self):
        return sum(size for _, size in self.files)


class Store:
    """A folder, or one file, that pyarrow.fs can list and read: a path, or a URI of file, s3, gs, abfs or hdfs."""

    def __init__(self, place):
        self.is_remote = "://" in place and not place.startswith("file://")
        if "://" in place:
            self.files, root = fs.FileSystem.from_uri(place)
            self.name = place.split("?")[0].rstrip("/") if self.is_remote else root
        else:
            self.files, root = fs.LocalFileSystem(), os.path.abspath(place)
            self.name = root
        self.root = root.rstrip("/") or "/"
        self.info = self.files.get_file_info(self.root)
        if self.info.type == fs.FileType.NotFound:
            raise FileNotFoundError(f"{place}: there is no such folder or file")
        self.only = None
        if self.info.type == fs.FileType.File:
            self.only = self.root.rsplit("/", 1)[1]
            self.root, self.name = (path.rsplit("/", 1)[0] or "/" for path in (self.root, self.name))

    def path(self, below):
        """What the store calls a file below its folder."""
        return self.root.rstrip("/") + "/" + below

    def full_name(self, below):
        """What people call it."""
        return self.name.rstrip("/") + "/" + below

    def copy(self, logs, folder):
        """Copies all files of logs to the same paths below a folder of this machine."""
        for path, size in sorted(entry for log in logs for entry in log.files):
            if ".." in path.split("/"):
                raise ValueError(f"{self.full_name(path)}: its name leads out of its folder; rename it")
            target = f"{folder}/{path}"
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with self.files.open_input_stream(self.path(path)) as source, open(target, "wb") as copy:
                shutil.copyfileobj(source, copy, 1 << 20)
            if os.path.getsize(target) < size:
                raise OSError(f"{self.full_name(path)}: ends after {os.path.getsize(target)} bytes; expected {size}")

    def logs(self, endings=ENDINGS):
        """All logs, in the order of their paths."""
        folder = fs.FileSelector(self.root, recursive=not self.only)
        found = {
            info.path[len(self.root.rstrip("/")) + 1:]: info.size or 0
            for info in self.files.get_file_info(folder) if info.type == fs.FileType.File
        }
        shown = {path: size for path, size in found.items() if not re.search(r"(^|/)\.", path)}
        logs = {
            path: Log(path, [(path, size)]) for path, size in shown.items()
            if (path == self.only if self.only else "*" in endings or path.endswith(tuple(endings)))
        }
        self._join_parts(logs, shown)
        return [logs[path] for path in sorted(logs, key=os.fsencode)]

    def _join_parts(self, logs, shown):
        """Older parts and rings belong to their log, and are none by themselves."""
        for path, size in sorted(shown.items()):
            match = PART.match(path)
            if match and match[1] in logs:
                logs.pop(path, None)
                logs[match[1]].files.append((path, size))

    def keys(self):
        """The names of the path's keys, such as day in day=2026-11-21/: of the folder's own path, and of the
        first folders below."""
        names = list(path_keys(self.root))
        folder = self.root
        while not self.only:
            below = sorted(
                info.path for info in self.files.get_file_info(fs.FileSelector(folder))
                if info.type == fs.FileType.Directory and KEY.match(info.base_name))
            if not below:
                break
            folder = below[0]
            names += [name for name in path_keys(folder.rsplit("/", 1)[1]) if name not in names]
        return names


def path_keys(path):
    """The keys of a path and their values: {"day": "2026-11-21"}."""
    found = (KEY.match(part) for part in path.split("/"))
    return {
        match[1]: None if match[2] == "__HIVE_DEFAULT_PARTITION__" else unquote(match[2])
        for match in found if match
    }


def pack(logs, most_bytes, most_logs):
    """Lists of logs for one task each, of so many bytes and logs at the most; a larger log has one to itself."""
    packed, size = [], 0
    for log in logs:
        if not packed or size + log.size > most_bytes or len(packed[-1]) >= most_logs:
            packed.append([])
            size = 0
        packed[-1].append(log)
        size += log.size
    return packed
