"""The local page's door: what another page, another host or another user on this machine gets is nothing."""

from __future__ import annotations

import http.client
import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.open import write_door
from pbem.demo.together import join_all, table_of
from pbem.home import Home
from pbem.outgoing import outgoing
from pbem.page.desk import Desk
from pbem.page.keeper import IDLE, Keeper, Locked
from pbem.page.server import HEADERS, LARGE, PAGES, SMALL, Server
from pbem.table import Table
from tests.cli import Desk as People
from tests.cli import begin


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> People:
    desk = People(tmp_path, monkeypatch)
    begin(desk)
    return desk


@pytest.fixture
def server(people: People) -> Iterator[Server]:
    made = Server(Desk(Home(people.folder / "ann")))
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def ask(
    server: Server,
    path: str,
    body: Any = None,
    method: str = "POST",
    raw: bytes | None = None,
    **headers: Any,
) -> tuple[int, Any, Any]:
    """One request with the headers of our own page, each replaced by what is given; None leaves it out."""
    port = server.server_address[1]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    data = raw if raw is not None else json.dumps(body if body is not None else {}).encode()
    sent = {"Host": f"127.0.0.1:{port}", "Origin": server.origin, "Content-Type": "application/json"}
    sent |= {"Content-Length": str(len(data))} if method == "POST" else {}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in sent.items():
        for one in value if isinstance(value, list) else [value]:
            if one is not None:
                connection.putheader(name, one)
    connection.endheaders(data if method == "POST" else None)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, json.loads(text) if text.startswith("{") else text, answer.headers


def session(server: Server) -> str:
    token = server.address().partition("#token=")[2]
    status, told, _ = ask(server, "/api/session", {"token": token})
    assert status == 200
    return str(told["session"])


def test_only_loopback(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1" and server.server_address[1] != 0


@pytest.mark.parametrize("path", sorted(PAGES))
def test_the_page_itself_holds_no_data_and_forbids_everything_else(server: Server, path: str) -> None:
    status, text, headers = ask(server, path, method="GET")
    assert status == 200 and "tiny" not in text and "ann" not in text.lower().split()
    for name, value in HEADERS.items():
        assert headers[name] == value
    policy = headers["Content-Security-Policy"]
    assert "unsafe" not in policy and "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert " style=" not in text and "<style" not in text and "onclick=" not in text
    assert "Set-Cookie" not in headers and "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize("host", ["localhost:{port}", "evil.example", "127.0.0.1", "[::1]:{port}", None])
def test_another_host_is_refused(server: Server, host: str | None) -> None:
    """A name that somebody made lead to 127.0.0.1 (rebinding) is not our address."""
    given = host.format(port=server.server_address[1]) if host else None
    for method, path in (("GET", "/"), ("POST", "/api/games")):
        status, told, _ = ask(server, path, method=method, Host=given, X_Pbem_Session=session(server))
        assert status == 421 and "games" not in told
    status, _, _ = ask(
        server, "/", method="GET", Host=[f"127.0.0.1:{server.server_address[1]}", "evil.example"]
    )
    assert status == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:{port}", None])
def test_another_origin_is_refused(server: Server, origin: str | None) -> None:
    given = origin.format(port=server.server_address[1]) if origin else None
    status, told, _ = ask(server, "/api/games", Origin=given, X_Pbem_Session=session(server))
    assert status == 403 and "games" not in told
    token = server.address().partition("#token=")[2]
    assert ask(server, "/api/session", {"token": token}, Origin=given)[0] == 403


def test_a_request_from_elsewhere_in_the_browser_is_refused(server: Server) -> None:
    for site in ("cross-site", "same-site", "none"):
        assert ask(server, "/api/games", Sec_Fetch_Site=site, X_Pbem_Session=session(server))[0] == 403
    assert ask(server, "/api/games", Sec_Fetch_Site="same-origin", X_Pbem_Session=session(server))[0] == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None]
)
def test_what_a_form_can_send_is_refused(server: Server, kind: str | None) -> None:
    assert ask(server, "/api/games", Content_Type=kind, X_Pbem_Session=session(server))[0] == 415


def test_too_much_is_refused_before_it_is_read(server: Server) -> None:
    own = session(server)
    assert ask(server, "/api/games", X_Pbem_Session=own, Content_Length=str(SMALL + 1))[0] == 413
    assert ask(server, "/api/receive", X_Pbem_Session=own, Content_Length=str(LARGE + 1))[0] == 413
    assert ask(server, "/api/games", X_Pbem_Session=own, Content_Length=["2", "2"])[0] == 400
    assert ask(server, "/api/games", X_Pbem_Session=own, Transfer_Encoding="chunked")[0] == 400


def test_bad_shapes_are_refused(server: Server) -> None:
    own = session(server)
    for raw in (b"", b"{", b"[]", b"1", b"[" * 20_000):
        assert ask(server, "/api/games", raw=raw, X_Pbem_Session=own)[0] == 400
    for body in (
        {"game": "../../etc"},
        {"game": 7},
        {"game": "tiny", "lines": "put act"},
        {"game": "tiny", "lines": ["a\nb"]},
        {"game": "tiny", "lines": [1]},
    ):
        status, told, _ = ask(server, "/api/board", body, X_Pbem_Session=own)
        assert status == 400, told
    assert ask(server, "/api/nothing", {}, X_Pbem_Session=own)[0] == 404
    assert ask(server, "/etc/passwd", method="GET")[0] == 404
    assert ask(server, "/static/../app.css", method="GET")[0] == 404


def test_a_local_user_without_the_token_gets_nothing(server: Server) -> None:
    for given in (None, "", "guess", "x" * 43):
        status, told, _ = ask(server, "/api/games", X_Pbem_Session=given)
        assert status == 401 and "games" not in told
    assert ask(server, "/api/session", {"token": "guess"})[0] == 401
    assert ask(server, "/api/session", {})[0] == 401


def test_a_token_works_once(server: Server) -> None:
    token = server.address().partition("#token=")[2]
    assert len(token) >= 43
    assert ask(server, "/api/session", {"token": token})[0] == 200
    assert ask(server, "/api/session", {"token": token})[0] == 401


def test_other_methods_are_refused(server: Server) -> None:
    for method in ("PUT", "DELETE", "OPTIONS", "HEAD"):
        assert ask(server, "/api/games", method=method)[0] == 501


def test_the_door_is_a_private_file(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(people.folder / "ann"))
    door = write_door("http://127.0.0.1:1/#token=secret")
    assert stat.S_IMODE(os.stat(door).st_mode) == 0o600 and "secret" in door.read_text()


def test_the_page_gets_what_the_command_line_prints_for_the_seat(server: Server, people: People) -> None:
    """No hidden card of the others in anything that the page is sent."""
    own = session(server)
    told = ask(server, "/api/board", {"game": "tiny", "lines": []}, X_Pbem_Session=own)[1]
    other = people.ok("ben", "board").out
    mine = people.ok("ann", "board").out
    hidden = {line for line in other.splitlines() if "hand" in line} - set(mine.splitlines())
    assert hidden
    backs = [piece for ident, piece in told["pieces"].items() if piece[0] == "hand-b"]
    assert backs and all(not piece[1] and piece[2].startswith("face down") for piece in backs)
    assert all(not piece[7] for piece in backs), "nor its text"


def test_an_error_shows_no_traceback(server: Server, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    own = session(server)
    monkeypatch.setattr(server.api, "_paths", {"games": lambda data: 1 // 0})
    status, told, _ = ask(server, "/api/games", {}, X_Pbem_Session=own)
    assert status == 500 and "Traceback" not in str(told) and "division" not in str(told)
    assert "ZeroDivisionError" in capsys.readouterr().err


# --- signing


def test_nothing_is_signed_but_what_was_shown(server: Server) -> None:
    own = session(server)
    lines = ["put act rest"]
    told = ask(server, "/api/promise", {"game": "tiny", "lines": lines}, X_Pbem_Session=own)[1]
    play = {"game": "tiny", "fingerprint": told["fingerprint"], "ticket": told["ticket"]}
    for wrong in ({"lines": ["put rest rest"]}, {"ticket": "0" * 64}, {"fingerprint": "0" * 40}):
        status, _, _ = ask(server, "/api/play", {**play, "lines": lines, **wrong}, X_Pbem_Session=own)
        assert status == 409, wrong
    assert ask(server, "/api/play", {**play, "lines": lines}, X_Pbem_Session=own)[0] == 200
    assert ask(server, "/api/play", {**play, "lines": lines}, X_Pbem_Session=own)[0] == 409


def test_what_the_command_line_signs_or_receives_meanwhile_is_seen(server: Server, people: People) -> None:
    """A sealed decision moves no commit; the page must not offer it again, nor miss a word that waits."""
    own, game = session(server), {"game": "tiny", "lines": []}
    assert ask(server, "/api/next", game, X_Pbem_Session=own)[0] == 200
    people.ok("ann", "play", "-m", "put act rest", "--yes")
    assert ask(server, "/api/next", game, X_Pbem_Session=own)[0] == 409
    people.ok("ben", "say", "--now", "good luck", "--out", "said.pbem")
    people.ok("ann", "receive", "said.pbem")
    told = ask(server, "/api/status", {"game": "tiny"}, X_Pbem_Session=own)[1]
    assert any("good luck" in line for line in told["notices"])


def test_a_supposition_is_never_signed(server: Server) -> None:
    own = session(server)
    lines = ["put act rest", "~roll 3", "hit b"]
    told = ask(server, "/api/promise", {"game": "tiny", "lines": lines}, X_Pbem_Session=own)[1]
    assert told["lines"] == ["sealed: put act rest", "only you can read it; it is binding"]


def test_what_stands_beside_orders_is_said_before_it_is_signed(server: Server) -> None:
    own = session(server)
    say = {"game": "tiny", "what": "say", "words": ["well played"]}
    told = ask(server, "/api/act", say, X_Pbem_Session=own)[1]
    assert "well played" in told["promise"]
    assert ask(server, "/api/act", {**say, "ticket": "0" * 64}, X_Pbem_Session=own)[0] == 409
    other = {**say, "words": ["something else"], "ticket": told["ticket"]}
    assert ask(server, "/api/act", other, X_Pbem_Session=own)[0] == 409
    assert ask(server, "/api/act", {**say, "ticket": told["ticket"]}, X_Pbem_Session=own)[0] == 200
    for wrong in (["nothing", "put act"], ["loss"], []):
        asked = {"game": "tiny", "what": "standing", "words": wrong}
        assert ask(server, "/api/act", asked, X_Pbem_Session=own)[0] == 400
    assert ask(server, "/api/act", {"game": "tiny", "what": "explode"}, X_Pbem_Session=own)[0] == 400


def test_a_resignation_says_what_it_publishes(tmp_path: Path) -> None:
    """With three seats the secret goes with it, so that the others go on; the page says so before."""
    seats = join_all(tmp_path, "tiny", 11, count=3)
    desk = Desk(seats["a"].home)
    asked = {"game": "tiny", "what": "resign"}
    told = desk("act", asked)
    assert "cannot be undone" in told["promise"] and "Your secret" in told["promise"]
    desk("act", {**asked, "ticket": told["ticket"]})
    table = Table.open(table_of(seats["a"]).folder, seats["a"].home)
    (resigned,) = [raw for raw in outgoing(table, "b") if b'kind = "resign"' in raw]
    assert b"secret = " in resigned


def test_the_rules_speak_through_the_page(server: Server) -> None:
    own = session(server)
    status, told, _ = ask(server, "/api/promise", {"game": "tiny", "lines": ["put gold"]}, X_Pbem_Session=own)
    assert status == 422 and told["error"] and told["rule"]


def test_the_passphrase_is_typed_in_the_terminal(people: People) -> None:
    """428 until somebody typed it there; after a quarter of an hour the key is forgotten."""
    from pbem.protocol.crypto.keys import dump_private, new_private

    home = Home(people.folder / "locked")
    home.path.mkdir()
    key = new_private()
    (home.path / "key").write_bytes(dump_private(key, b"secret"))
    now = [0.0]
    keeper = Keeper(home, lambda: now[0])
    with pytest.raises(Locked):
        keeper.key()
    assert keeper.wanted.is_set()
    keeper.unlock(lambda: b"secret")
    assert keeper.key().public == key.public and not keeper.wanted.is_set()
    now[0] += IDLE - 1
    keeper.key()
    now[0] += IDLE + 1
    with pytest.raises(Locked):
        keeper.key()


def test_the_command_serves_and_takes_its_door_away(people: People) -> None:
    """A process of its own: the door leads to a page that answers; ended, both are gone."""
    home = people.folder / "ann"
    code = "from pbem.cli.main import main; main()"
    environment = {**os.environ, "PBEM_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    run = subprocess.Popen(
        [sys.executable, "-c", code, "open", "--no-browser"],
        stdout=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    try:
        assert run.stdout is not None
        said = run.stdout.readline()
        port = int(said.split("127.0.0.1:")[1].split(";")[0])
        (door,) = home.glob("open-*.html")
        token = door.read_text().split("#token=")[1].split('"')[0]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        head = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
        connection.request("POST", "/api/session", json.dumps({"token": token}), head)
        assert connection.getresponse().status == 200
    finally:
        run.send_signal(2)
        run.wait(10)
    assert not list(home.glob("open-*.html"))


def test_the_page_sets_no_command_and_gives_no_password_away(server: Server, people: People) -> None:
    """A script in the page must not run anything here, nor send a password to a server of its choice."""
    own, home = session(server), Home(people.folder / "ann")
    kept = {"way": "smtp", "host": "good.example", "port": 465, "security": "tls", "user": "ann"}
    home.set_config(mail={"send": {**kept, "password_command": ["pass", "mail"]}})

    def mail(**data: Any) -> tuple[int, Any]:
        return ask(server, "/api/mail", data, X_Pbem_Session=own)[:2]

    status, told = mail()
    assert status == 200 and told["send"]["host"] == "good.example" and "pass" not in json.dumps(told)
    for way in ("program", "save", "command"):
        assert mail(what="send", way=way, command=["rm"], folder="/")[0] == 400
    assert mail(what="tell", way="command", command=["rm"])[0] == 400
    assert mail(what="send", **{**kept, "password_command": ["evil"]})[0] == 200
    assert home.config()["mail"]["send"]["password_command"] == ["pass", "mail"], "the same account keeps it"
    assert mail(what="send", **{**kept, "host": "evil.example"})[0] == 200
    assert "password_command" not in home.config()["mail"]["send"], "another one does not"
    assert mail(what="read", way="imap", host="h.example", security="none", user="ann")[0] == 400
    assert mail(what="read", way="imap", host="h.example", user="ann", port=99999)[0] == 400
    assert mail(what="read", way="imap", host="h.example", user="ann")[0] == 200
    assert home.config()["mail"]["read"]["folder"] == "INBOX"
