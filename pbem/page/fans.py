"""What an opened stack shows: its pieces by force, the leader first, with the sum of each force."""

from __future__ import annotations

from typing import Any

from pbem.engine.scene import Owner, Piece, Scene
from pbem.page.layout import total_of


def fans(scene: Scene) -> dict[str, list[dict[str, Any]]]:
    """Every place of the map with two or more pieces: its forces, each with leader, sum and pieces."""
    owners = {owner.id: owner for owner in scene.owners}
    known = {place.id for place in scene.board.places}
    held: dict[str, list[Piece]] = {}
    for piece in scene.pieces:
        if piece.place in known:
            held.setdefault(piece.place, []).append(piece)
    return {place: _forces(pieces, owners) for place, pieces in held.items() if len(pieces) > 1}


def _forces(pieces: list[Piece], owners: dict[str, Owner]) -> list[dict[str, Any]]:
    """Top of the stack first; who leads nobody and follows nobody stands with his side."""
    leaders = {piece.under for piece in pieces if piece.under}
    forces: dict[tuple[str, str], list[Piece]] = {}
    for piece in reversed(pieces):
        owner = owners.get(piece.owner)
        leader = piece.under or (piece.id if piece.id in leaders else "")
        forces.setdefault((owner.side if owner else "", leader), []).append(piece)
    found = []
    for (side, leader), force in forces.items():
        force.sort(key=lambda piece: piece.id != leader)
        head = force[0] if leader else None
        found.append(
            {
                "leader": leader,
                "name": " ".join(filter(None, (head.name, head.gloss))) if head else "",
                "side": side,
                "sum": total_of(force),
                "count": sum(piece.count for piece in force),
                "pieces": [piece.id for piece in force],
            }
        )
    return found
