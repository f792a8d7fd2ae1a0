"""Moves through git hosts, real ones, and through hosts that mean ill."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pbem.errors import PbemError, TransportError, VerificationError
from pbem.repository import MAIN, Repository
from pbem.repository import plumbing as plumbing_module
from pbem.transport import git as transport
from pbem.transport import git_remote
from pbem.transport.git import (
    check_incoming,
    fetch_outboxes,
    note_taken,
    outbox_ref,
    push_main,
    push_outbox,
    taken,
)
from tests.test_repository import entry as game_commit
from tests.test_repository import raw_git

ROOT = Path(__file__).parent.parent


def signed(seat: str, seq: int, lane: str = "decide", text: str = "advance") -> bytes:
    """What an entry looks like to a transport; whether it verifies is not its business."""
    return f'lane = "{lane}"\nseat = "{seat}"\nseq = {seq}\nbody = "{text}"\n'.encode()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user whose own hooks would leave a mark if they ran in a game folder."""
    folder = tmp_path / "home"
    (folder / "hooks").mkdir(parents=True)
    for name in ("pre-push", "reference-transaction", "post-checkout", "post-merge", "post-rewrite"):
        (folder / "hooks" / name).write_text(
            f'#!/bin/sh\ncase "$(git rev-parse --absolute-git-dir)" in */.git) touch {folder}/ran;; esac\n'
        )
        (folder / "hooks" / name).chmod(0o755)
    (folder / ".gitconfig").write_text(
        f"[core]\n\thooksPath = {folder}/hooks\n[fetch]\n\tprune = true\n\trecurseSubmodules = true\n"
        '[push]\n\tfollowTags = true\n\trecurseSubmodules = on-demand\n[protocol "ext"]\n\tallow = always\n'
    )
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    raw_git(tmp_path, "init", "-q", "--bare", "--initial-branch=main", "host.git")
    return tmp_path / "host.git"


@pytest.fixture
def new_game(tmp_path: Path) -> Iterator[Callable[[str], Repository]]:
    """Makes game folders; at the end, nothing outside them may have run."""
    yield lambda name: Repository.create(tmp_path / name)
    assert not (tmp_path / "home/ran").exists() and not (tmp_path / "ran").exists()


@pytest.fixture
def repo(new_game: Callable[[str], Repository]) -> Repository:
    return new_game("hojo")


def fetch_entries(
    repo: Repository,
    remote: str,
    seats: list[str],
    since: dict[str, str] | None = None,
    refused: Callable[[str, PbemError], object] | None = None,
) -> list[bytes]:
    """The entries alone; a bad outbox is raised unless somebody is to be told."""

    def bad(seat: str, error: PbemError) -> None:
        if refused is None:
            raise error
        refused(seat, error)

    return [entry for _, _, part in fetch_outboxes(repo, remote, seats, since or {}, bad) for entry in part]


# --- the ordinary ------------------------------------------------------------------------------


def test_entries_reach_the_other_seat_once_and_in_order(
    bare: Path, new_game: Callable[[str], Repository]
) -> None:
    hojo, uesugi = new_game("hojo"), new_game("uesugi")
    assert fetch_entries(uesugi, str(bare), ["hojo", "uesugi"]) == []
    mine = [signed("hojo", 0), signed("hojo", 1), signed("hojo", 0, "answer"), signed("hojo", 100)]
    assert push_outbox(hojo, str(bare), "hojo", mine[:2]) == 2
    assert push_outbox(hojo, str(bare), "hojo", mine) == 2
    assert push_outbox(hojo, str(bare), "hojo", mine) == 0
    push_outbox(uesugi, f"file://{bare}", "uesugi", [signed("uesugi", 0)])
    assert fetch_entries(uesugi, f"file://{bare}", ["hojo"]) == [mine[2], mine[0], mine[1], mine[3]]
    assert fetch_entries(hojo, str(bare), ["uesugi", "absent"]) == [signed("uesugi", 0)]
    assert raw_git(bare, "for-each-ref", "--format=%(refname)").split() == [
        outbox_ref("hojo"),
        outbox_ref("uesugi"),
    ]
    raw_git(bare, "update-ref", "-d", outbox_ref("hojo"))
    assert fetch_entries(uesugi, str(bare), ["hojo"]) == []


def test_the_outbox_has_the_same_commits_however_it_was_filled(
    bare: Path, tmp_path: Path, new_game: Callable[[str], Repository]
) -> None:
    raw_git(tmp_path, "init", "-q", "--bare", "second.git")
    mine = [signed("hojo", n) for n in range(3)]
    push_outbox(new_game("a"), str(bare), "hojo", mine)
    for n in range(3):
        push_outbox(new_game(f"b{n}"), str(tmp_path / "second.git"), "hojo", mine[: n + 1])
    tips = {raw_git(host, "rev-parse", outbox_ref("hojo")) for host in (bare, tmp_path / "second.git")}
    assert len(tips) == 1


def test_what_was_taken_is_not_read_again(bare: Path, new_game: Callable[[str], Repository]) -> None:
    hojo, uesugi = new_game("hojo"), new_game("uesugi")
    push_outbox(hojo, str(bare), "hojo", [signed("hojo", n) for n in range(98)])
    ((_, tip, _),) = fetch_outboxes(uesugi, str(bare), ["hojo"], {}, lambda seat, error: None)
    note_taken(uesugi, {"hojo": tip})
    since = taken(uesugi, ["hojo", "uesugi"])
    assert since == {"hojo": tip}
    assert fetch_entries(uesugi, str(bare), ["hojo"], since) == []
    more = [signed("hojo", n) for n in range(98, 103)]
    push_outbox(hojo, str(bare), "hojo", more)
    read: list[str] = []
    objects = uesugi.git.objects
    uesugi.git.objects = lambda kind, names: read.extend(names) or objects(kind, names)  # type: ignore[method-assign,func-returns-value]
    assert fetch_entries(uesugi, str(bare), ["hojo"], since) == more
    assert len(read) < 20, "the outbox was read from its beginning"


def test_what_is_added_later_is_looked_at_as_strictly(bare: Path, repo: Repository) -> None:
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    tip = raw_git(bare, "rev-parse", outbox_ref("hojo"))
    blob = raw_git(bare, "hash-object", "-w", "--stdin", data=b"/etc/passwd")
    folder = raw_git(bare, "rev-parse", f"{tip}:0001")
    listed = raw_git(bare, "ls-tree", folder) + f"\n120000 blob {blob}\t000001-decide.toml"
    inner = raw_git(bare, "mktree", data=listed.encode())
    tree = raw_git(bare, "mktree", data=f"040000 tree {inner}\t0001".encode())
    commit = raw_git(bare, "commit-tree", tree, "-p", tip, "-m", "x")
    raw_git(bare, "update-ref", outbox_ref("hojo"), commit)
    with pytest.raises(TransportError, match="is a link"):
        fetch_entries(repo, str(bare), ["hojo"], {"hojo": tip})


def test_two_devices_of_one_player_share_an_outbox(
    bare: Path, new_game: Callable[[str], Repository], monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop, watch = new_game("laptop"), new_game("watch")
    push = git_remote.push

    def push_second(*args: object) -> bool:
        """The watching machine is faster, once."""
        monkeypatch.setattr(transport, "push", push)
        push_outbox(watch, str(bare), "hojo", [signed("hojo", 0, "answer")])
        return push(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(transport, "push", push_second)
    assert push_outbox(laptop, str(bare), "hojo", [signed("hojo", 0)]) == 1
    assert fetch_entries(watch, str(bare), ["hojo"]) == [signed("hojo", 0, "answer"), signed("hojo", 0)]
    with pytest.raises(TransportError, match=r"0001/000000-decide\.toml of hojo exists in two versions"):
        push_outbox(watch, str(bare), "hojo", [signed("hojo", 0, text="retreat")])
    assert len(fetch_entries(laptop, str(bare), ["hojo"])) == 2


def test_a_run_that_ends_before_its_push_is_made_up_for(
    bare: Path, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(transport, "push", lambda *a: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    assert push_outbox(repo, str(bare), "hojo", [signed("hojo", 0), signed("hojo", 1)]) == 2
    assert fetch_entries(repo, str(bare), ["hojo"]) == [signed("hojo", 0), signed("hojo", 1)]


def test_the_main_line_never_conflicts_unless_it_is_another_game(
    bare: Path, new_game: Callable[[str], Repository]
) -> None:
    hojo, uesugi, cheat = new_game("hojo"), new_game("uesugi"), new_game("cheat")
    push_main(hojo, str(bare))
    commits = [game_commit(n) for n in range(1, 5)]
    hojo.append(commits[:3], parent=None)
    uesugi.append(commits, parent=None)
    for repo in (hojo, hojo, uesugi, hojo):
        push_main(repo, str(bare))
    assert raw_git(bare, "rev-parse", MAIN) == uesugi.head()
    ids = cheat.append([*commits[:2], game_commit(3, seat="cheat")], parent=None)
    with pytest.raises(
        TransportError, match=f"commit 3 on: {ids[2][:12]} here, {hojo.history()[2][:12]} there"
    ):
        push_main(cheat, str(bare))
    assert raw_git(bare, "rev-parse", MAIN) == uesugi.head()


def test_only_ones_own_entries_go_into_ones_outbox(bare: Path, repo: Repository) -> None:
    for bad in (
        signed("uesugi", 0),
        signed("hojo", -1),
        signed("hojo", 10**6),
        signed("hojo", 1, "talk"),
        b"\xff",
    ):
        with pytest.raises(VerificationError):
            push_outbox(repo, str(bare), "hojo", [bad])
    for seat in ("../hojo", "", "--all", "a*", "Hojo", "x.lock", "a" * 17):
        with pytest.raises(VerificationError, match="no name for a seat"):
            push_outbox(repo, str(bare), seat, [])
        with pytest.raises(VerificationError, match="no name for a seat"):
            fetch_entries(repo, str(bare), [seat])
    assert raw_git(bare, "for-each-ref") == ""


# --- other protocols ---------------------------------------------------------------------------


def test_ssh_addresses_of_both_kinds(
    bare: Path, tmp_path: Path, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user's ssh is used: here one that runs the far end on this machine."""
    ssh = tmp_path / "ssh"
    ssh.write_text('#!/bin/sh\nfor last; do :; done\nunset GIT_PROTOCOL\nexec sh -c "$last"\n')
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH", str(ssh))
    monkeypatch.setenv("GIT_SSH_VARIANT", "ssh")
    push_outbox(repo, f"ssh://player@host:2222{bare}", "hojo", [signed("hojo", 0)])
    assert fetch_entries(repo, f"player@host:{bare}", ["hojo"]) == [signed("hojo", 0)]


def test_the_git_protocol_on_loopback(bare: Path, repo: Repository) -> None:
    command = [
        "git",
        "daemon",
        "--inetd",
        "--export-all",
        "--enable=receive-pack",
        f"--base-path={bare.parent}",
    ]

    def serve(listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                subprocess.run(command, stdin=connection, stdout=connection, stderr=subprocess.DEVNULL)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        url = f"git://127.0.0.1:{listener.getsockname()[1]}/host.git"
        push_outbox(repo, url, "hojo", [signed("hojo", 0)])
        assert fetch_entries(repo, url, ["hojo", "uesugi"]) == [signed("hojo", 0)]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


class Backend(BaseHTTPRequestHandler):
    """git http-backend behind Python's web server, asking for a password."""

    root: Path

    def do_GET(self) -> None:
        if self.headers.get("Authorization") is None:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="games"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        environment = {
            **os.environ,
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol") or "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "REMOTE_USER": "player",
            "CONTENT_TYPE": self.headers.get("Content-Type") or "",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding") or "",
        }
        done = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env=environment)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = [line.split(": ", 1) for line in head.decode().splitlines()]
        status = next((value for key, value in fields if key == "Status"), "200 OK")
        self.send_response(int(status.split()[0]))
        for key, value in fields:
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def test_a_web_host_that_asks_for_a_password(bare: Path, home: Path, repo: Repository) -> None:
    Backend.root = bare.parent
    repo.append([game_commit(n) for n in range(1, 4)], parent=None)
    with ThreadingHTTPServer(("127.0.0.1", 0), Backend) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/host.git"
        with pytest.raises(TransportError, match="could not read Username") as caught:
            fetch_entries(repo, url, ["hojo"])
        assert "credential helper" in (caught.value.hint or "")
        with open(home / ".gitconfig", "a") as file:
            file.write('[credential]\n\thelper = "!f() { echo username=player; echo password=x; }; f"\n')
        push_outbox(repo, url, "hojo", [signed("hojo", n) for n in range(120)])
        push_main(repo, url)
        assert len(fetch_entries(repo, url, ["hojo", "uesugi"])) == 120
        server.shutdown()


# --- hostile addresses -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ext::sh -c touch% {ran}", "'ext::' are refused"),
        ("ext::touch {ran}", "'ext::' are refused"),
        ("fd::17", "'fd::' are refused"),
        ("https::ext::touch {ran}", "'https::' are refused"),
        ("--upload-pack=touch {ran}", "looks like an option"),
        ("-c", "looks like an option"),
        ("ssh://-oProxyCommand=touch%20{ran}/x", "hides an option"),
        ("ssh://%2DoProxyCommand=touch%20{ran}/x", "hides an option"),
        ("ssh://user@-oProxyCommand=x/y", "hides an option"),
        ("-oProxyCommand=touch@host:x", "looks like an option"),
        ("user@-oProxyCommand=touch:x", "hides an option"),
        ("host:-x", "hides an option"),
        ("ftp://host/x", "protocol 'ftp' is refused"),
        ("EXT://host/x", "protocol 'EXT' is refused"),
        ("javascript://x", "protocol 'javascript' is refused"),
        ("", "is not an address"),
        ("https://host/\n--upload-pack=x", "is not an address"),
        ("origin", "there is no folder"),
        ("\x1b]0;x", "is not an address"),
    ],
)
def test_addresses_that_could_run_something_are_refused_by_name(
    tmp_path: Path, repo: Repository, address: str, said: str
) -> None:
    repo.append([game_commit(1)], parent=None)
    url = address.format(ran=tmp_path / "ran")
    for call in (
        lambda: push_outbox(repo, url, "hojo", [signed("hojo", 0)]),
        lambda: fetch_entries(repo, url, ["hojo"]),
        lambda: push_main(repo, url),
    ):
        with pytest.raises(TransportError, match=said) as caught:
            call()
        assert caught.value.hint and "\x1b" not in caught.value.message


def test_rewritten_addresses_meet_the_same_list(home: Path, tmp_path: Path, repo: Repository) -> None:
    """Even the user's own insteadOf and protocol.allow do not lead to ext::."""
    with open(home / ".gitconfig", "a") as file:
        file.write(f'[url "ext::touch {tmp_path}/ran "]\n\tinsteadOf = https://host/\n')
    with pytest.raises(TransportError, match="transport 'ext' not allowed"):
        fetch_entries(repo, "https://host/game.git", ["hojo"])


def test_unreachable_hosts_are_explained_without_passwords(tmp_path: Path, repo: Repository) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(TransportError, match="not appear to be a git repository") as caught:
        fetch_entries(repo, str(tmp_path / "folder"), ["hojo"])
    assert caught.value.hint == "check the address"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(TransportError) as caught:
        fetch_entries(repo, f"http://hojo:s3cret@127.0.0.1:{port}/game.git", ["hojo"])
    assert "s3cret" not in caught.value.message and caught.value.hint == "try again later"


# --- hostile content ---------------------------------------------------------------------------


def plant(bare: Path, seat: str, *files: tuple[str, str, bytes | str]) -> str:
    """Puts (mode, path, content or id) into an outbox, as any tool could."""
    stream = b"feature done\ncommit %s\ncommitter x <x@x> 0 +0000\ndata 0\n" % outbox_ref(seat).encode()
    for mode, path, content in files:
        if isinstance(content, str):
            stream += f"M {mode} {content} {path}\n".encode()
        else:
            stream += f"M {mode} inline {path}\ndata {len(content)}\n".encode() + content + b"\n"
    raw_git(bare, "fast-import", "--quiet", "--force", data=stream + b"done\n")
    return raw_git(bare, "rev-parse", outbox_ref(seat))


GOOD = "0001/000000-decide.toml"


@pytest.mark.parametrize(
    ("mode", "path", "content", "said"),
    [
        ("120000", GOOD, b"../../../etc/passwd", "is a link"),
        ("160000", GOOD, "1" * 40, "is a submodule"),
        ("160000", "sub", "1" * 40, "is a submodule"),
        ("100755", GOOD, b"#!/bin/sh\n", "is executable"),
        ("100755", "hooks/pre-push", b"#!/bin/sh\n", "is a folder"),
        ("100644", ".gitmodules", b'[submodule "x"]\n\tpath = x\n\turl = ./x\n', "cannot hold the path"),
        ("100644", ".gitattributes", b"* filter=evil\n", "cannot hold the path"),
        ("100644", "--upload-pack=touch", b"", "cannot hold the path"),
        ("100644", "0001/x/000000-decide.toml", b"", "is a folder"),
        ("100644", GOOD, bytes(64 * 1024 + 1), "65537 bytes and was not read"),
        ("100644", GOOD, bytes(8 << 20), "8388608 bytes and was not read"),
    ],
)
def test_bad_outboxes_are_refused_by_name_and_the_others_still_arrive(
    bare: Path, repo: Repository, mode: str, path: str, content: bytes | str, said: str
) -> None:
    push_outbox(repo, str(bare), "uesugi", [signed("uesugi", 0)])
    plant(bare, "hojo", (mode, path, content))
    told: list[tuple[str, PbemError]] = []
    found = fetch_entries(repo, str(bare), ["hojo", "uesugi"], refused=lambda s, e: told.append((s, e)))
    assert found == [signed("uesugi", 0)]
    ((seat, error),) = told
    assert seat == "hojo" and said in error.message and isinstance(error, TransportError) and error.hint
    with pytest.raises(TransportError, match="the outbox of hojo"):
        fetch_entries(repo, str(bare), ["uesugi", "hojo"])
    with pytest.raises(TransportError, match="the outbox of hojo"):
        push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    assert [p.name for p in repo.path.iterdir()] == [".git"]


def plant_object(bare: Path, kind: str, data: bytes) -> str:
    return raw_git(bare, "hash-object", "-w", "--literally", "-t", kind, "--stdin", data=data)


@pytest.mark.parametrize("path", [b".git", b"..", b".GIT", b".git\xe2\x80\x8c"])
def test_trees_that_git_itself_refuses_do_not_keep_others_away(
    bare: Path, repo: Repository, path: bytes
) -> None:
    push_outbox(repo, str(bare), "uesugi", [signed("uesugi", 0)])
    blob = bytes.fromhex(plant_object(bare, "blob", b"#!/bin/sh\n"))
    hooks = plant_object(bare, "tree", b"100755 post-checkout\0" + blob)
    tree = plant_object(bare, "tree", b"40000 " + path + b"\0" + bytes.fromhex(hooks))
    commit = f"tree {tree}\nauthor x <x@x> 0 +0000\ncommitter x <x@x> 0 +0000\n\n"
    raw_git(bare, "update-ref", outbox_ref("hojo"), plant_object(bare, "commit", commit.encode()))
    told: list[str] = []
    found = fetch_entries(repo, str(bare), ["hojo", "uesugi"], refused=lambda s, e: told.append(e.message))
    assert found == [signed("uesugi", 0)] and len(told) == 1
    assert "refuse" in told[0] and repo.head("refs/pbem/remote/hojo") is None


def test_a_flood_is_cut_off_and_leaves_nothing(
    bare: Path, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plumbing_module, "NETWORK_BYTES", 1 << 20)
    push_outbox(repo, str(bare), "uesugi", [signed("uesugi", 0)])
    plant(bare, "hojo", *(("100644", f"0001/{n:06}-decide.toml", os.urandom(60_000)) for n in range(120)))
    told: list[str] = []
    found = fetch_entries(repo, str(bare), ["hojo", "uesugi"], refused=lambda s, e: told.append(e.message))
    assert found == [signed("uesugi", 0)] and len(told) == 1 and "was cut off" in told[0]
    assert list((repo.git.git_dir / "objects").rglob("tmp_*")) == []


def test_a_hundred_thousand_refs_and_refs_like_options_do_not_matter(bare: Path, repo: Repository) -> None:
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    tip = raw_git(bare, "rev-parse", outbox_ref("hojo"))
    names = [f"refs/heads/pbem/outbox/hojo{n:06}" for n in range(50_000)]
    names += [f"refs/heads/r{n:06}" for n in range(50_000)]
    names += ["refs/heads/--upload-pack=touch", "refs/tags/-c", "refs/heads/refs/heads/pbem/outbox/uesugi"]
    lines = "".join(f"{tip} {name}\n" for name in sorted(names))
    (bare / "packed-refs").write_text("# pack-refs with: peeled fully-peeled sorted \n" + lines)
    assert fetch_entries(repo, str(bare), ["hojo", "uesugi"]) == [signed("hojo", 0)]
    assert push_outbox(repo, str(bare), "hojo", [signed("hojo", 1)]) == 1
    refs = raw_git(repo.path, "for-each-ref", "--format=%(refname)").split()
    assert refs == ["refs/pbem/remote/hojo", "refs/pbem/taken/hojo"]
    with pytest.raises(TransportError, match="refs/heads/refs/heads/pbem/outbox/uesugi', which hides"):
        push_outbox(repo, str(bare), "uesugi", [signed("uesugi", 0)])
    raw_git(bare, "update-ref", outbox_ref("uesugi"), tip)
    with pytest.raises(TransportError, match="matches more than one"):
        push_outbox(repo, str(bare), "uesugi", [signed("uesugi", 1)])


def test_hooks_and_settings_of_a_remote_do_not_run_on_fetch(
    bare: Path, tmp_path: Path, repo: Repository
) -> None:
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    raw_git(bare, "config", "uploadpack.packObjectsHook", f"touch {tmp_path}/ran; exec git pack-objects")
    raw_git(bare, "config", "core.fsmonitor", f"touch {tmp_path}/ran")
    for name in ("post-checkout", "reference-transaction", "pre-auto-gc", "post-index-change"):
        (bare / "hooks").mkdir(exist_ok=True)
        (bare / "hooks" / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        (bare / "hooks" / name).chmod(0o755)
    repo.git.must("update-ref", "-d", "refs/pbem/remote/hojo")
    assert fetch_entries(repo, str(bare), ["hojo"]) == [signed("hojo", 0)]


def test_a_main_line_that_is_not_one_is_refused(bare: Path, repo: Repository) -> None:
    repo.append([game_commit(1), game_commit(2)], parent=None)
    push_main(repo, str(bare))
    head = repo.head()
    raw_git(bare, "update-ref", MAIN, raw_git(bare, "commit-tree", f"{head}^{{tree}}", "-p", f"{head}", "-p",
                                              f"{head}^", "-m", "merge"))  # fmt: skip
    repo.append([game_commit(3)], parent=head)
    with pytest.raises(TransportError, match=r"is not a game: commit [0-9a-f]{12} is a merge"):
        push_main(repo, str(bare))


# --- the check at the host ---------------------------------------------------------------------

HOOK = """#!{python}
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from pbem.errors import PbemError, VerificationError
from pbem.repository import Repository
from pbem.transport.git import check_incoming

def verify(entry):
    if b"forged" in entry:
        raise VerificationError("the signature does not verify")

try:
    check_incoming(Repository.hosted(Path(".").absolute()), sys.stdin, verify, seats=["hojo", "uesugi"])
except PbemError as error:
    sys.exit(f"pbem: error: {{error.message}}")
"""


@pytest.fixture
def guarded(bare: Path) -> Path:
    hook = bare / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK.format(python=sys.executable, root=str(ROOT)))
    hook.chmod(0o755)
    raw_git(bare, "config", "core.hooksPath", str(hook.parent))  # not those of the user who pushes
    return bare


def test_the_host_takes_what_verifies_and_says_why_not(guarded: Path, repo: Repository) -> None:
    push_outbox(repo, str(guarded), "hojo", [signed("hojo", 0), signed("hojo", 0, "answer")])
    push_outbox(repo, str(guarded), "hojo", [signed("hojo", 1)])
    repo.append([game_commit(1), game_commit(2)], parent=None)
    push_main(repo, str(guarded))
    repo.append([game_commit(3)], parent=repo.head())
    push_main(repo, str(guarded))
    before = raw_git(guarded, "for-each-ref")
    with pytest.raises(TransportError, match="refused refs/heads/pbem/outbox/hojo") as caught:
        push_outbox(repo, str(guarded), "hojo", [signed("hojo", 2, text="forged")])
    assert "the signature does not verify" in (caught.value.hint or "")
    with pytest.raises(TransportError) as caught:
        push_outbox(repo, str(guarded), "takeda", [signed("takeda", 0)])
    assert "takeda has no seat" in (caught.value.hint or "")
    assert raw_git(guarded, "for-each-ref") == before


def incoming(repo: Repository, bare: Path, *lines: str, forged: bytes = b"forged") -> list[bytes]:
    """The check on objects that are already there; the entries that were shown to `verify`."""
    shown: list[bytes] = []

    def verify(entry: bytes) -> None:
        shown.append(entry)
        if forged in entry:
            raise VerificationError("the signature does not verify")

    check_incoming(Repository.hosted(bare), [f"{line}\n" for line in lines], verify)
    return shown


def test_only_new_entries_are_verified_and_lines_only_grow(bare: Path, repo: Repository) -> None:
    none, ref = "0" * 40, outbox_ref("hojo")
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    first = raw_git(bare, "rev-parse", ref)
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 1)])
    second = raw_git(bare, "rev-parse", ref)
    assert incoming(repo, bare, f"{none} {second} {ref}") == [signed("hojo", 0), signed("hojo", 1)]
    assert incoming(repo, bare, f"{first} {second} {ref}") == [signed("hojo", 1)]
    refusals = {
        f"{second} {first} {ref}": "would be rewritten",
        f"{second} {none} {ref}": "cannot be deleted",
        f"{none} {second} {outbox_ref('uesugi')}": "is not by uesugi",
        f"{none} {second} {MAIN}": "is a folder",
        f"{none} {second} refs/heads/other": "is refused",
        f"{none} {second} refs/tags/v1": "is refused",
        f"{none} {second} refs/heads/--force": "is refused",
        f"{none} {second} refs/heads/pbem/outbox/../../main": "no name for a seat",
        f"{none} {'1' * 40} {ref}": "has no commit",
        f"{none} --all {ref}": "not a full commit id",
        "nonsense": "not a line",
    }
    for line, said in refusals.items():
        with pytest.raises(VerificationError, match=said):
            incoming(repo, bare, line)
    raw_git(bare, "tag", "-a", "-m", "x", "v1", second)
    with pytest.raises(VerificationError, match="has no commit"):
        incoming(repo, bare, f"{none} {raw_git(bare, 'rev-parse', 'refs/tags/v1')} {ref}")


def test_outbox_commits_must_follow_from_their_entries(bare: Path, repo: Repository) -> None:
    none, ref = "0" * 40, outbox_ref("hojo")
    for files, said in (
        ([("100644", GOOD, signed("hojo", 0))], "does not add one entry"),
        ([("100755", GOOD, signed("hojo", 0))], "is executable"),
        ([("100644", GOOD, bytes(70_000))], "does not add one entry"),
    ):
        with pytest.raises(VerificationError, match=said):
            incoming(repo, bare, f"{none} {plant(bare, 'hojo', *files)} {ref}")
    raw_git(bare, "update-ref", "-d", ref)
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    tip = raw_git(bare, "rev-parse", ref)
    tree = raw_git(bare, "rev-parse", f"{tip}^{{tree}}")
    for message in ("hojo: decide 0\n", "hojo: decide 7\n", "hello\n"):
        extra = raw_git(bare, "commit-tree", tree, "-p", tip, "-m", message)
        with pytest.raises(VerificationError, match=r"do not make|does not add one entry"):
            incoming(repo, bare, f"{tip} {extra} {ref}")


def test_main_keeps_its_moves(bare: Path, repo: Repository) -> None:
    ids = repo.append([game_commit(n) for n in range(1, 4)], parent=None)
    push_main(repo, str(bare))
    moves = [b"orders = 1\n", b"orders = 2\n", b"orders = 3\n"]
    assert incoming(repo, bare, f"{'0' * 40} {ids[2]} {MAIN}") == moves
    assert incoming(repo, bare, f"{ids[0]} {ids[2]} {MAIN}") == moves[1:]
    with pytest.raises(VerificationError, match="signature"):
        incoming(repo, bare, f"{ids[0]} {ids[2]} {MAIN}", forged=b"orders = 3")
    stream = f"commit refs/heads/x\ncommitter x <x@x> 0 +0000\ndata 0\nfrom {ids[2]}\n"
    for change, said in (
        ("D moves/0001/000001-hojo.toml\n", "000001-hojo.toml would be rewritten"),
        ("M 100644 inline log/0001/000002.toml\ndata 0\n", "000002.toml would be rewritten"),
        ("M 100644 inline .github/workflows/x.yml\ndata 0\n", "is a folder"),
        (f"M 100644 inline moves/0001/000004-a.toml\ndata 70000\n{'x' * 70000}\n", "70000 bytes"),
        ("M 120000 inline position.toml\ndata 1\nx\n", "is a link"),
    ):
        raw_git(bare, "fast-import", "--quiet", "--force", data=(stream + change).encode())
        new = raw_git(bare, "rev-parse", "refs/heads/x")
        with pytest.raises(VerificationError, match=said):
            incoming(repo, bare, f"{ids[2]} {new} {MAIN}")


def test_a_refused_push_leaves_no_object_at_the_host(guarded: Path, repo: Repository) -> None:
    with pytest.raises(TransportError):
        push_outbox(repo, str(guarded), "hojo", [signed("hojo", 0, text="forged")])
    assert raw_git(guarded, "count-objects") == "0 objects, 0 kilobytes"
