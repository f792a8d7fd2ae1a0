"""Addresses of hosts: each protocol that works, and those that could run something."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pbem.errors import TransportError
from pbem.repository import Repository
from pbem.transport.git import (
    push_main,
    push_outbox,
)
from tests.hosts.outboxes import fetch_entries, signed
from tests.plain_git import entry as game_commit

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
