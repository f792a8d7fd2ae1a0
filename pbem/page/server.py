"""The local page's server: loopback only, a fixed table of paths, everything else refused.

What is refused before a word of the request is believed: another Host (a name that leads here), another
Origin (another page), another type, too much, no session. Others on this machine have no token: it travels
in the fragment of an address that only the browser sees, works once, and is traded for a session key. The
browser keeps that key for this address alone, so that another tab or a later start finds the page again while
pbem runs; it is worth nothing afterwards. A second `pbem open` is let in by a key that stands in a private
file: each side proves to the other that it holds the key, and never sends it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pbem.errors import PbemError
from pbem.page.answers import Refused, refusal_of
from pbem.page.shipped import static

SMALL = 64 * 1024
LARGE = 3 * 1024 * 1024
"""A dropped mail, as base64."""
SESSION = "X-Pbem-Session"
SESSIONS = 16
"""So many tabs at most; the oldest is forgotten."""

Api = Callable[[str, Mapping[str, Any]], Any]

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

PARTS = (
    "address", "app", "board", "choose", "deck", "draft", "fan", "games", "hand", "hands", "home",
    "invite", "log", "mail", "marks", "page", "panels", "plans", "question", "receive", "server", "sign",
    "state", "strip", "tell", "time", "view", "watch", "words",
)  # fmt: skip
"""The page's modules, each of one purpose."""
SCRIPT = "text/javascript; charset=utf-8"
PAGES = {
    "/": ("text/html; charset=utf-8", "app.html"),
    "/board.css": ("text/css; charset=utf-8", "board.css"),
    "/relief.js": (SCRIPT, "relief.js"),
    "/table.css": ("text/css; charset=utf-8", "table.css"),
    "/icon.svg": ("image/svg+xml", "icon.svg"),
    "/icon-turn.svg": ("image/svg+xml", "icon-turn.svg"),
    "/film.css": ("text/css; charset=utf-8", "film.css"),
    "/stage.js": (SCRIPT, "stage.js"),
    "/film.js": (SCRIPT, "film.js"),
    **{f"/app/{part}.js": (SCRIPT, f"app/{part}.js") for part in PARTS},
}
"""Every file that may be asked for, and nothing else."""


class Guard:
    """Who may come in: the one-time token, and the sessions that it was traded for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.key = secrets.token_bytes(32)
        """For a second `pbem open` of the same player: it stands in a private file of the home."""
        self._tokens: list[str] = []
        self._sessions: list[str] = []

    def token(self) -> str:
        """A new token, good for one session."""
        with self._lock:
            self._tokens.append(secrets.token_urlsafe(32))
            return self._tokens[-1]

    def trade(self, token: str) -> str | None:
        """A session for a token that has not been used."""
        with self._lock:
            same = (one for one in self._tokens if hmac.compare_digest(one.encode(), token.encode()))
            known = next(same, None)
            if known is None:
                return None
            self._tokens.remove(known)
            self._sessions = [*self._sessions, secrets.token_urlsafe(32)][-SESSIONS:]
            return self._sessions[-1]

    def again(self, nonce: str, proof: str) -> dict[str, str] | None:
        """A new token for who holds the key, with the proof that this is the server that it asked for."""
        if not hmac.compare_digest(proof_of(self.key, "asked", nonce).encode(), proof.encode()):
            return None
        token = self.token()
        return {"token": token, "proof": proof_of(self.key, "told", nonce, token)}

    def knows(self, session: str) -> bool:
        """Whether a session is one of ours."""
        with self._lock:
            return any(hmac.compare_digest(one.encode(), session.encode()) for one in self._sessions)


def proof_of(key: bytes, *words: str) -> str:
    """That somebody holds a key, for these words."""
    return hmac.new(key, json.dumps(words).encode(), hashlib.sha256).hexdigest()


class Server(ThreadingHTTPServer):
    """One page for one player."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, api: Api) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.api = api
        self.guard = Guard()
        self.origin = f"http://127.0.0.1:{self.server_address[1]}"

    def address(self) -> str:
        """Where the page is, with a fresh token in the fragment."""
        return f"{self.origin}/#token={self.guard.token()}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up is nobody's concern."""


class Handler(BaseHTTPRequestHandler):
    """One request after the other on a connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "pbem"
    sys_version = ""
    timeout = 60
    wbufsize = 64 * 1024
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """The terminal belongs to the player."""

    def do_GET(self) -> None:
        """The page itself: no data, no session."""
        try:
            self._check_host()
            kind, name = PAGES.get(self.path) or self._unknown()
            self._send(200, kind, static(name).encode())
        except Refused as error:
            self._refuse(error)

    def do_POST(self) -> None:
        """Everything else: JSON in, JSON out."""
        try:
            self._check_host()
            self._check_origin()
            data = self._body()
            if self.path == "/api/session":
                self._answer(self._session(data))
                return
            if self.path == "/api/again":
                self._answer(self._again(data))
                return
            if not self.server.guard.knows(self.headers.get(SESSION, "")):
                raise Refused(401, "there is no session", "open the page again with `pbem open`")
            if not self.path.startswith("/api/"):
                self._unknown()
            self._answer(self.server.api(self.path.removeprefix("/api/"), data))
        except Refused as error:
            self._refuse(error)
        except PbemError as error:
            self._refuse(refusal_of(error))
        except Exception as error:
            self.server.api("fault", {"error": error})
            self._refuse(Refused(500, f"something went wrong ({type(error).__name__})", "see the terminal"))

    def _check_host(self) -> None:
        """The Host is exactly ours, once: no name that somebody made lead here."""
        hosts = self.headers.get_all("Host", [])
        if hosts != [self.server.origin.removeprefix("http://")]:
            raise Refused(421, "this is another host's page")

    def _check_origin(self) -> None:
        """Asked by our own page: every other page, a file, and none at all are refused."""
        origins = self.headers.get_all("Origin", [])
        fetch = self.headers.get("Sec-Fetch-Site")
        if origins != [self.server.origin] or fetch not in (None, "same-origin"):
            raise Refused(403, "another page asked")
        if self.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            raise Refused(415, "expected application/json")

    def _body(self) -> Mapping[str, Any]:
        lengths = self.headers.get_all("Content-Length", [])
        if len(lengths) != 1 or not lengths[0].isdecimal() or "Transfer-Encoding" in self.headers:
            raise Refused(400, "expected one Content-Length")
        most = LARGE if self.path == "/api/receive" else SMALL
        if int(lengths[0]) > most:
            raise Refused(413, "too much")
        try:
            data = json.loads(self.rfile.read(int(lengths[0])))
        except (ValueError, RecursionError):
            raise Refused(400, "expected JSON") from None
        if not isinstance(data, dict):
            raise Refused(400, "expected a JSON object")
        return data

    def _session(self, data: Mapping[str, Any]) -> dict[str, str]:
        token = data.get("token")
        session = self.server.guard.trade(token) if isinstance(token, str) else None
        if session is None:
            raise Refused(401, "the token is not good, or was used", "`pbem open` opens the page again")
        return {"session": session}

    def _again(self, data: Mapping[str, Any]) -> dict[str, str]:
        nonce, proof = data.get("nonce"), data.get("proof")
        told = None
        if isinstance(nonce, str) and isinstance(proof, str):
            told = self.server.guard.again(nonce, proof)
        if told is None:
            raise Refused(401, "this is not the key of the running page")
        return told

    def _unknown(self) -> Any:
        raise Refused(404, "there is nothing here")

    def _answer(self, data: Any) -> None:
        self._send(200, "application/json", json.dumps(data, ensure_ascii=False).encode())

    def _refuse(self, error: Refused) -> None:
        self.close_connection = True
        told = {"error": error.message, "hint": error.hint, "rule": error.rule}
        self._send(error.status, "application/json", json.dumps(told, ensure_ascii=False).encode())

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
