"""What earlier runs found out, by key, in one SQLite file.

Nothing depends on it: a file that is locked, broken, read-only or on a full disk is a run without memory, never an
error; `Store.failure` says why. Two runs may use it at once; what both write is the same.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

_SCHEMA = 2
_WAIT_S = 2.0
"""Others hold the lock while they write some results. Who has it for longer was stopped; nobody waits for it twice."""
_PAUSE_S = 0.005
_MOST_BYTES = 400_000_000
_KEPT = 0.7
"""How much of what there may be is left when there is too much."""
_KEYS_AT_ONCE = 500
_DAY_S = 86_400


class Store:
    """Values by keys, each of a kind. Closed by `close`; `with` does so."""

    def __init__(self, file: Path | None) -> None:
        """Opens a file, or makes it; without one nothing is remembered."""
        self._file = file
        self._connection: sqlite3.Connection | None = None
        self.failure = ""
        """Why nothing more is remembered, in the system's words; empty as long as something is."""
        if file is not None:
            try:
                self._connection = _opened(file)
            except OSError as error:
                self.failure = (error.strerror or str(error)).lower()
            except sqlite3.Error as error:
                self.failure = str(error)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, kind: str, keys: Iterable[str]) -> dict[str, bytes]:
        """What is known of these keys."""
        wanted = list(dict.fromkeys(keys))
        found: dict[str, bytes] = {}
        if self._connection is None:
            return found
        try:
            for start in range(0, len(wanted), _KEYS_AT_ONCE):
                some = wanted[start : start + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, value FROM entry WHERE kind = ? AND key IN ({marks})"
                rows = self._connection.execute(query, (kind, *map(_stored, some)))
                found.update((_read(key), value) for key, value in rows)
        except sqlite3.Error as error:
            self._failed(error)
        return found

    def put(self, kind: str, values: Mapping[str, bytes]) -> None:
        """Remember these values, in the place of what was known of their keys."""
        if self._connection is None or not values:
            return
        today = int(time.time() // _DAY_S)
        rows = [(kind, _stored(key), value, today) for key, value in values.items()]
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?)", rows)
        except sqlite3.Error as error:
            self._failed(error)

    def used(self, kind: str, keys: Iterable[str]) -> None:
        """What was of use today is not the first to go."""
        if self._connection is None:
            return
        today = int(time.time() // _DAY_S)
        rows = [(today, kind, _stored(key), today) for key in keys]
        try:
            with self._connection:
                self._connection.executemany("UPDATE entry SET day = ? WHERE kind = ? AND key = ? AND day < ?", rows)
        except sqlite3.Error as error:
            self._failed(error)

    def close(self) -> None:
        """Forget the oldest if there is too much, and let go of the file."""
        if self._connection is None:
            return
        try:
            self._shrink(self._connection)
        except sqlite3.Error as error:
            self._failed(error)
        self._give_up()

    def _shrink(self, connection: sqlite3.Connection) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        too_much = (pages - free) * size - _MOST_BYTES * _KEPT
        if (pages - free) * size <= _MOST_BYTES:
            return
        gone: list[tuple[int]] = []
        for row, length in connection.execute("SELECT rowid, length(value) FROM entry ORDER BY day, rowid"):
            if too_much <= 0:
                break
            gone.append((row,))
            too_much -= length
        with connection:
            connection.executemany("DELETE FROM entry WHERE rowid = ?", gone)

    def _failed(self, error: sqlite3.Error) -> None:
        self.failure = str(error)
        self._give_up()
        if self._file is not None and _is_broken(error):
            with suppress(OSError):
                self._file.unlink()  # it would fail each time: the next run begins anew

    def _give_up(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None


def _stored(key: str) -> bytes:
    """A key may hold the name of a file that is no Unicode, which SQLite takes for no text."""
    return key.encode("utf-8", "surrogatepass")


def _read(key: bytes) -> str:
    return key.decode("utf-8", "surrogatepass")


def _opened(file: Path) -> sqlite3.Connection:
    """Raises OSError and sqlite3.Error."""
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _connected(file)
    except sqlite3.Error as error:
        if not _is_broken(error):
            raise
        file.unlink()
        return _connected(file)


def _is_broken(error: sqlite3.Error) -> bool:
    """Whether what is there is no database, or no whole one; one that is locked, read-only or full is another error."""
    return type(error) is sqlite3.DatabaseError


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Readers and a writer need not wait for each other then.

    Where another run does the same to a new file, SQLite says at once that it is locked, however long one would wait.
    """
    until = time.monotonic() + _WAIT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(_PAUSE_S)


def _schema_of(connection: sqlite3.Connection) -> int:
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    return int(schema)


def _connected(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=_WAIT_S)
    try:
        _log_ahead(connection)
        connection.execute("PRAGMA synchronous = OFF")
        if _schema_of(connection) != _SCHEMA:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                # Another run may have made it meanwhile, and filled it.
                if _schema_of(connection) != _SCHEMA:
                    connection.execute("DROP TABLE IF EXISTS entry")
                    connection.execute(f"PRAGMA user_version = {_SCHEMA}")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS entry (kind TEXT, key BLOB, value BLOB, day INTEGER, PRIMARY KEY (kind, key))"
        )
    except sqlite3.Error:
        connection.close()
        raise
    return connection
