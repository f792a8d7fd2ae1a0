"""What a game says of itself: rules, primer, tables, glossary; and of a position: the score. Only read."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import game_option, json_option, open_table, print_json
from pbem.errors import PbemError, UsageError
from pbem.words import did_you_mean

if TYPE_CHECKING:
    from pbem.engine.rules import AnyRules
    from pbem.engine.shown import Choice, Sheet
    from pbem.rulebook import Rule

WIDTH = 100
PAGE = 118
"""A primer's lines are not longer than this."""
EXAMPLES = 8
"""So many cases are named below a rule."""


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The games there are, for the shell."""
    from pbem.engine import registry

    return [name for name in registry.names() if name.startswith(incomplete)]


def complete_rule(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Rule numbers and options, for the shell."""
    from pbem.engine import registry

    try:
        rules = registry.load(str(ctx.params.get("game")))
    except PbemError:
        return []
    names = [str(rule["id"]) for rule in rules.summaries()] + list(rules.options(rules.load_pack()))
    return [name for name in names if name.startswith(incomplete)]


game_argument = click.argument("game", shell_complete=complete_game)


@click.command("rules")
@game_argument
@click.argument("what", required=False, nargs=-1, shell_complete=complete_rule)
@click.option("--list", "short", is_flag=True, help="Numbers, status and titles alone.")
@json_option
def rules_command(game: str, what: tuple[str, ...], short: bool, as_json: bool) -> None:
    """The rules of a game in our own words: the whole book; a rule, a chapter, an option; or a search.

    WHAT is a number (one rule with rulings, reasons and cases; a chapter), the name of an option of the
    contract, or words to look for. enforced: the program does it or refuses. explains: there is nothing to
    enforce. reconstructed: the book points to something printed elsewhere, which was made anew.

    Example: pbem rules kawagoe 9.54
    """
    from pbem import rulebook
    from pbem.engine import registry

    rules = registry.load(game)
    listed = rulebook.book(rules)
    wanted = " ".join(what)
    option = rulebook.choice(rules, wanted) if wanted else None
    if option is not None:
        _print_choice(option, as_json)
        return
    exact = rulebook.one(listed, wanted)
    found = [exact] if exact else rulebook.below(listed, wanted) or rulebook.search(listed, wanted)
    if not found:
        ids = [str(rule["id"]) for rule in listed]
        hint = did_you_mean(wanted, [*ids, *rules.options(rules.load_pack())], "")
        near = hint if hint.startswith("did you mean") else f"`pbem rules {game} --list` lists them"
        raise UsageError(f"{game} has no rule {wanted!r}, and no rule speaks of it", near)
    if as_json:
        print_json([{key: rule[key] for key in ("id", "title", "summary", "status")} for rule in found])
    elif exact is not None and not short:
        _print_rule(rules, exact, rulebook.below(listed, wanted))
    elif short:
        for rule in found:
            click.echo(f"{rule['id']:<9} {rule['status']:<14} {rule['title']}")
    else:
        click.echo("\n\n".join(_told(rule) for rule in found))


def _print_rule(rules: AnyRules, rule: Rule, inside: Sequence[Rule]) -> None:
    """One rule with all that is known of it."""
    from pbem import rulebook

    click.echo(_told(rule))
    for option in rules.choices(rules.load_pack()):
        if option.rule == rule["id"]:
            click.echo(_wrapped(f"Option {option.id}: {option.question}"))
    shown = rulebook.examples(rules, str(rule["id"]))
    if shown:
        click.echo("\n    cases that show it (`pbem case FILE` runs one):")
    for example in shown[:EXAMPLES]:
        click.echo(textwrap.indent(textwrap.fill(f"- {example.title}", WIDTH - 6), " " * 6))
    if len(shown) > EXAMPLES:
        click.echo(f"      and {len(shown) - EXAMPLES} more in {shown[0].file.parent}")
    if inside:
        click.echo("\n    in it: " + ", ".join(f"{one['id']} {one['title']}" for one in inside))


def _told(rule: Rule) -> str:
    """One rule: number, title, what it says, rulings with their reasons."""
    parts = [f"{rule['id']} {rule['title']} [{rule['status']}]", _wrapped(rule["summary"])]
    if "reason" in rule:
        parts.append(_wrapped(f"Why nothing is enforced: {rule['reason']}"))
    for line in str(rule.get("ruling", "")).strip().splitlines():
        parts.append(_wrapped(f"Ruling {line}"))
    return "\n".join(parts)


def _print_choice(option: Choice, as_json: bool) -> None:
    if as_json:
        meanings = dict(zip(option.values, option.meanings, strict=False))
        print_json({"id": option.id, "rule": option.rule, "question": option.question, "values": meanings})
        return
    click.echo(f"{option.id}: an option of the contract, rule {option.rule}")
    click.echo(_wrapped(option.question))
    for number, value in enumerate(option.values):
        usual = " (usual)" if number == 0 else ""
        meaning = option.meanings[number] if number < len(option.meanings) else ""
        click.echo(_wrapped(f"{value}{usual}: {meaning}" if meaning else f"{value}{usual}"))


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="    ")


@click.command("primer")
@game_argument
def primer_command(game: str) -> None:
    """One page for a newcomer: who you are, how you win, a turn, your first orders.

    Example: pbem primer kawagoe
    """
    from pbem.engine import registry

    text = registry.load(game).primer()
    if not text:
        raise UsageError(f"{game} has no primer", f"`pbem rules {game}` is its whole book")
    for line in text.rstrip().splitlines():
        click.echo(_folded(line))
    more = ", ".join(f"`pbem {what} {game}`" for what in ("rules", "tables", "glossary"))
    click.echo(f"\nGo on with {more};\ntry it alone with `pbem practice {game}`.")


def _folded(line: str) -> str:
    """A line of a page: as it is if it fits the screen, else over several, with the same indent."""
    from pbem.page.plain import fold, width

    indent = len(line) - len(line.lstrip())
    if width(line) <= PAGE:
        return line
    return "\n".join(" " * indent + part for part in fold(line.strip(), PAGE - indent))


@click.command("glossary")
@game_argument
@click.argument("word", required=False)
@json_option
def glossary_command(game: str, word: str | None, as_json: bool) -> None:
    """The Japanese and Chinese terms of a game: how they are read, what they mean.

    Example: pbem glossary kawagoe
    """
    from pbem.engine import registry
    from pbem.page.plain import table

    terms = registry.load(game).glossary()
    if word is not None:
        wanted = word.lower()
        terms = tuple(t for t in terms if wanted in f"{t.term} {t.reading} {t.english} {t.means}".lower())
        if not terms:
            hint = f"`pbem glossary {game}` lists all"
            raise UsageError(f"no term of {game} has to do with {word!r}", hint)
    if as_json:
        print_json([asdict(term) for term in terms])
        return
    rows = [(t.term, t.reading, t.english, t.means) for t in terms]
    for line in table([("term", "reading", "English", ""), *rows]):
        click.echo(line)


@click.command("tables")
@game_argument
@click.argument("name", required=False)
@json_option
def tables_command(game: str, name: str | None, as_json: bool) -> None:
    """What an aid card would show: combat tables, terrain costs, rosters, chits, cards.

    Example: pbem tables kawagoe crt
    """
    from pbem.engine import registry

    rules = registry.load(game)
    sheets = rules.tables(rules.load_pack())
    if name is not None:
        known = [sheet.id for sheet in sheets]
        sheets = tuple(sheet for sheet in sheets if sheet.id == name)
        if not sheets:
            raise UsageError(f"{game} has no table {name!r}", did_you_mean(name, known, "its tables are:"))
    if as_json:
        print_json([_sheet(sheet) for sheet in sheets])
        return
    click.echo("\n\n".join(_drawn(sheet) for sheet in sheets))


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "id": sheet.id,
        "title": sheet.title,
        "rule": sheet.rule,
        "note": sheet.note,
        "columns": list(sheet.columns),
        "rows": [list(row) for row in sheet.rows],
    }


def _drawn(sheet: Sheet) -> str:
    from pbem.page.plain import table

    head = f"{sheet.title} ({sheet.id}" + (f", rule {sheet.rule})" if sheet.rule else ")")
    lines = [head, *table([sheet.columns, *sheet.rows])]
    return "\n".join([*lines, *([_wrapped(sheet.note)] if sheet.note else [])])


@click.command("score")
@game_option
@json_option
def score_command(game: str | None, as_json: bool) -> None:
    """Points so far and what they come from, and what would end the game at once.

    Example: pbem score
    """
    opened = open_table(game)
    pos = opened.ledger.position
    lines = opened.ledger.machine.rules.score(pos)
    if as_json:
        print_json([{"seat": t.seat, "what": t.what, "points": t.points, "rule": t.rule} for t in lines])
        return
    if not lines:
        click.echo("this game keeps no score before it ends")
    for seat in dict.fromkeys(tally.seat for tally in lines):
        own = [tally for tally in lines if tally.seat == seat]
        counted = [tally.points for tally in own if tally.points is not None]
        total = f": {sum(counted)} points so far" if counted else ":"
        click.echo(f"{seat or 'anybody'}{total}")
        for tally in own:
            points = f"{tally.points:>5}" if tally.points is not None else "     "
            click.echo(f"{points}  {tally.what}" + (f" ({tally.rule})" if tally.rule else ""))
