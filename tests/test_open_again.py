"""The page is found again while pbem runs: by another tab, a later browser, a second `pbem open`."""

from __future__ import annotations

import stat
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from pbem.home import Home
from pbem.page.desk import Desk
from pbem.page.running import FILE, Running
from pbem.page.server import Server, proof_of
from tests.browser import Watched, chromium, needs_browser
from tests.test_open_security import ask, session


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.new_key(None)
    made.set_config(name="ann", kept=True)
    return made


def serving(home: Home) -> Server:
    server = Server(Desk(home))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def end(server: Server) -> None:
    server.shutdown()
    server.server_close()


def test_a_second_command_gets_a_token_for_the_running_page(home: Home) -> None:
    server = serving(home)
    running = Running(home)
    running.note(server)
    assert stat.S_IMODE((home.path / FILE).stat().st_mode) == 0o600
    address = Running(home).address()
    assert address is not None and address.startswith(f"{server.origin}/#token=")
    token = address.partition("#token=")[2]
    assert ask(server, "/api/session", {"token": token})[0] == 200
    assert ask(server, "/api/session", {"token": token})[0] == 401, "it works once, like every token"
    running.forget()
    assert Running(home).address() is None and not (home.path / FILE).exists()
    end(server)


def test_nobody_gets_a_token_without_the_key(home: Home) -> None:
    server = serving(home)
    for given in ({}, {"nonce": "n", "proof": "0" * 64}, {"nonce": 3, "proof": []}):
        assert ask(server, "/api/again", given)[0] == 401
    good = {"nonce": "n", "proof": proof_of(server.guard.key, "asked", "n")}
    assert ask(server, "/api/again", good, Origin="http://evil.example")[0] == 403
    assert ask(server, "/api/again", good, Host="localhost:1")[0] == 421
    told = ask(server, "/api/again", good)[1]
    assert "proof" in told and ask(server, "/api/games", X_Pbem_Session=told["token"])[0] == 401
    end(server)


def test_a_stranger_on_the_old_port_is_not_taken_for_the_page(home: Home) -> None:
    """A page that was killed leaves its note; whoever has its port now learns no key and is not opened."""
    heard: list[bytes] = []

    class Stranger(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"token": "t", "proof": "p"}')

        def log_message(self, format: str, *args: Any) -> None:
            """Be silent."""

    server = Server(Desk(home))
    running = Running(home)
    running.note(server)
    key, origin = server.guard.key, server.origin
    server.server_close()
    stranger = HTTPServer(("127.0.0.1", int(origin.rpartition(":")[2])), Stranger)
    threading.Thread(target=stranger.serve_forever, daemon=True).start()
    assert running.address() is None
    assert len(heard) == 1 and key.hex().encode() not in heard[0]
    stranger.shutdown()
    stranger.server_close()
    (home.path / FILE).write_text('origin = "http://evil.example"\nkey = "00"\n')
    assert Running(home).address() is None


def test_a_stranger_with_an_old_session_gets_nothing(home: Home) -> None:
    """What a browser kept is worth nothing once pbem has ended."""
    server = serving(home)
    old = session(server)
    end(server)
    other = serving(home)
    assert ask(other, "/api/games", X_Pbem_Session=old)[0] == 401
    end(other)


def test_open_twice_opens_the_running_page(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(home.path))
    server = serving(home)
    Running(home).note(server)
    code = "from pbem.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "open", "--no-browser"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0 and f"runs already at {server.origin}" in done.stdout
    (door,) = home.path.glob("open-*.html")
    assert stat.S_IMODE(door.stat().st_mode) == 0o600 and f"{server.origin}/#token=" in door.read_text()
    end(server)


@needs_browser
def test_another_tab_and_a_later_browser_find_it_again(home: Home, tmp_path: Path) -> None:
    server = serving(home)
    with chromium() as browser:
        watched = Watched(browser)
        watched.page.goto(server.address())
        watched.page.wait_for_selector("body[data-ready]")
        second = watched.context.new_page()
        watched.page.close()
        second.goto(f"{server.origin}/")
        second.wait_for_selector("#desk:not([hidden])")
        kept = tmp_path / "state.json"
        watched.context.storage_state(path=str(kept))
        watched.close()
        later = browser.new_context(storage_state=str(kept))
        page = later.new_page()
        page.goto(f"{server.origin}/#nothing=1")
        page.wait_for_selector("#desk:not([hidden])")
        assert page.evaluate("document.cookie") == ""
        stranger = browser.new_context().new_page()
        stranger.goto(f"{server.origin}/")
        stranger.wait_for_selector("#problem:not([hidden])")
        assert "no session" in stranger.inner_text("#problem") and not stranger.is_visible("#desk")
    end(server)
