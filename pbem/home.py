"""A player's own folder: key, settings, list of games, and what must never stand in a game folder.

$PBEM_HOME, or ~/.pbem. Secret files are 0600, folders 0700, every write is complete or not there.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem import toml
from pbem.errors import UsageError
from pbem.journal import Journal
from pbem.protocol.crypto.keys import SigningKey, dump_private, load_private, new_private, parse_public_line
from pbem.system import write_whole

KEY_FILE = "key"
SPARE_FILE = "spare"
CONFIG = "config.toml"
GAMES = "games.toml"


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, in one step."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(path, data, 0o600)


@dataclass(frozen=True)
class TableSecrets:
    """What answering needs in one game; it cannot move for its owner."""

    seat: str
    secret: bytes
    box: bytes
    answering: bytes
    """The seed of the answering key."""
    former: tuple[tuple[bytes, bytes], ...] = ()
    """Secret and box secret before each replacement of keys, oldest first: they open what they sealed."""

    def __repr__(self) -> str:
        return f"TableSecrets of {self.seat}"


class Home:
    """One player's folder on one machine."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or Path(os.environ.get("PBEM_HOME") or Path.home() / ".pbem")

    # --- settings

    def config(self) -> dict[str, Any]:
        """The settings: name, address, key, and how mail is sent and read."""
        return self._read(CONFIG)

    def set_config(self, **changes: Any) -> None:
        """Change settings; None takes one away."""
        table = {k: v for k, v in (self.config() | changes).items() if v is not None}
        write_private(self.path / CONFIG, toml.dumps(table).encode())

    def _read(self, name: str) -> dict[str, Any]:
        path = self.path / name
        try:
            return tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UsageError(f"{path} cannot be read: {error}", "mend it by hand, or move it away") from None

    # --- the key

    def key_path(self) -> Path:
        """The private key in use: an existing SSH key, or the one pbem made."""
        chosen = self.config().get("key")
        return Path(chosen).expanduser() if isinstance(chosen, str) else self.path / KEY_FILE

    def new_key(self, passphrase: bytes | None) -> SigningKey:
        """Make a key; an existing one is never overwritten."""
        path = self.path / KEY_FILE
        if path.exists():
            raise UsageError(f"there is a key already: {path}", "`pbem key show` shows it")
        key = new_private()
        write_private(path, dump_private(key, passphrase))
        write_private(path.with_name(path.name + ".pub"), (key.public_line() + "\n").encode())
        return key

    def spare_path(self) -> Path:
        """The spare key: it only signs for new keys, so a copy of it may lie anywhere."""
        return self.path / SPARE_FILE

    def spare(self) -> bytes:
        """The public half of the spare key, which is made when it is needed first."""
        path = self.spare_path()
        public = path.with_name(path.name + ".pub")
        if not public.exists():
            key = new_private()
            write_private(path, dump_private(key, None))
            write_private(public, (key.public_line() + "\n").encode())
        return parse_public_line(public.read_text(encoding="utf-8").strip())

    def key(self, passphrase: Callable[[], bytes] | None = None) -> SigningKey:
        """The private key."""
        path = self.key_path()
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            raise UsageError("you have no key yet", "make one with `pbem key new`") from None
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}") from None
        return load_private(raw, passphrase)

    def public_line(self) -> str | None:
        """The public key, without the passphrase."""
        path = self.key_path()
        public = path.with_name(path.name + ".pub")
        try:
            line = public.read_text(encoding="utf-8").strip()
        except OSError:
            return None
        parse_public_line(line)
        return line

    # --- games

    def games(self) -> dict[str, Path]:
        """The games this player takes part in or watches: short name and folder."""
        return {name: Path(str(folder)) for name, folder in self._read(GAMES).items()}

    def add_game(self, name: str, folder: Path, instead: Path | None = None) -> str:
        """Remember a game, in place of the folder where it was played before; returns its name."""
        games = self.games()
        known = [one for one, path in games.items() if path in (folder.absolute(), instead)]
        chosen, number = known[0] if known else name, 2
        while not known and chosen in games:
            chosen, number = f"{name}-{number}", number + 1
        games[chosen] = folder.absolute()
        write_private(self.path / GAMES, toml.dumps({k: str(v) for k, v in games.items()}).encode())
        return chosen

    # --- per table

    def table_file(self, name: str) -> Path:
        """A file about one table or game that is nobody else's business."""
        return self.path / "tables" / name

    def journal(self, game: str) -> Journal:
        """What this home has signed in one game, and where it plays it."""
        return Journal(self.path / "signed" / game)

    def keep_secrets(self, game: str, secrets: TableSecrets) -> None:
        """Keep what answering needs in one game."""
        table = {
            "seat": secrets.seat,
            "secret": secrets.secret.hex(),
            "box": secrets.box.hex(),
            "answering": secrets.answering.hex(),
            "former": [[secret.hex(), box.hex()] for secret, box in secrets.former],
        }
        self.write_table(f"{game}.toml", table)

    def secrets(self, game: str) -> TableSecrets | None:
        """What answering needs in one game, or None for a spectator."""
        table = self.read_table(f"{game}.toml")
        if not table:
            return None
        return TableSecrets(
            table["seat"],
            bytes.fromhex(table["secret"]),
            bytes.fromhex(table["box"]),
            bytes.fromhex(table["answering"]),
            tuple((bytes.fromhex(secret), bytes.fromhex(box)) for secret, box in table.get("former", ())),
        )

    def read_table(self, name: str) -> dict[str, Any]:
        """A table file, empty if there is none."""
        return self._read(f"tables/{name}")

    def write_table(self, name: str, table: Mapping[str, Any]) -> None:
        """Write a table file."""
        write_private(self.table_file(name), toml.dumps(dict(table)).encode())
