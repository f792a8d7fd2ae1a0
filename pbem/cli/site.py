"""`pbem site`: pbem for any browser, as a folder of static files."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("site")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def site_command(folder: Path) -> None:
    """Write pbem as static files: whoever opens them in a browser plays without installing anything.

    Put the folder on any web host, under any path. npm fetches Python for the browser once, by a lock file
    with checksums; the same pbem writes the same files.

    Example: pbem site public
    """
    from pbem.site.build import build

    digest = build(folder)
    click.echo(f"the site is in {folder}")
    click.echo(f"digest: {digest}")
    click.echo(f"try it: python3 -m http.server --bind 127.0.0.1 --directory {folder}")
