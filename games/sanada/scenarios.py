"""How scenarios.toml is read: line-ups, arrivals, bands, special rules, and the options of the contract."""

from __future__ import annotations

import re
from typing import Any

from games.kit.packs import Table, read_choice
from games.sanada.terms import (
    INSIDE,
    REGIONS,
    SIDES,
    Arrival,
    Band,
    Placing,
    Scenario,
    date,
)


def read_scenarios(table: Table) -> dict[str, Any]:
    """Options and scenarios, as far as they are given."""
    read: dict[str, Any] = {}
    if "option" in table:
        read["options"] = {name: read_choice(name, one) for name, one in table.named_tables("option").items()}
    if "scenario" in table:
        read["scenarios"] = {
            name: _scenario(name, one) for name, one in table.named_tables("scenario").items()
        }
    return read


def _scenario(name: str, table: Table) -> Scenario:
    with table:
        first = table.text("first")
        if not re.fullmatch(r"\d{1,2}/\d{1,2}", first):
            table.refuse("first", f'is "{first}"', 'write month/day, e.g. "10/7"')
        turns = table.integer("turns", least=1)
        dates = {date(first, turn): turn for turn in range(1, turns + 1)}
        thaw = table.text("thaw_turn", "")
        if thaw and thaw not in dates:
            table.refuse("thaw_turn", f'is "{thaw}"', "it must be the date of a turn")
        castles = table.named_texts("castles", {})
        return Scenario(
            id=name,
            title=table.text("title", name),
            rule=table.text("rule", ""),
            first=first,
            turns=turns,
            muster=table.integer("muster"),
            osaka=table.texts("osaka"),
            usual=tuple(tuple(force.split("+")) for force in table.texts("usual", ())),
            kanto=tuple(_placing(table, text) for text in table.texts("kanto")),
            arrivals=tuple(_arrival(one, dates) for one in table.tables("arrival", ())),
            bands=_bands(table),
            frozen=table.texts("frozen", ()),
            thaw_turn=dates.get(thaw, 0),
            thaw_near=table.integer("thaw_near", 0),
            castles={castle: _values(table, text) for castle, text in castles.items()},
            defector=table.text("defector", ""),
            defects_on=table.integer("defects_on", 0),
            never_decisive=table.choice("never_decisive", ("", *SIDES), ""),
        )


def _placing(table: Table, text: str) -> Placing:
    units, at, place = text.partition("@")
    inside = place.endswith(INSIDE)
    place = place.removesuffix(INSIDE)
    if not at or not (place in REGIONS or re.fullmatch(r"\d{4}", place)):
        table.refuse("kanto", f'has "{text}"', 'write "leader+unit@hex", "leader@hex/in" or "leader@north"')
    region = place if place in REGIONS else ""
    return Placing(tuple(units.split("+")), "" if region else place, region, inside)


def _arrival(table: Table, dates: dict[str, int]) -> Arrival:
    with table:
        turn = table.text("turn")
        if turn not in dates:
            table.refuse("turn", f'is "{turn}"', "it must be the date of a turn")
        return Arrival(dates[turn], table.choice("region", REGIONS), table.texts("units"))


def _bands(table: Table) -> tuple[Band, ...]:
    found: list[Band] = []
    for one in table.tables("bands"):
        with one:
            least = one.value("least", None)
            if found and found[-1].least is None:
                one.refuse("least", "is missing in the band before", "only the lowest band has none")
            if least is not None and (
                type(least) is not int or (found and least >= (found[-1].least or 0) and found[-1].least)
            ):
                one.refuse("least", f"is {least}", "bands are listed from the highest score down")
            found.append(Band(one.text("level"), one.choice("winner", ("", *SIDES)), least))
    if not found or found[-1].least is not None:
        table.refuse("bands", "have no lowest one", "the last band has no `least`")
    return tuple(found)


def _values(table: Table, text: str) -> tuple[int, int]:
    values = re.fullmatch(r"(\d+)-(\d+)", text)
    if not values:
        table.refuse("castles", f'has "{text}"', 'write strength-durability, e.g. "3-12"')
    return int(values[1]), int(values[2])
