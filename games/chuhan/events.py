"""12 EVENTS: which card does what, and whether it may be used now."""

from __future__ import annotations

from games.chuhan import affairs, provisions, stratagems
from games.chuhan.affairs import Event
from games.chuhan.position import ChuhanPosition
from games.chuhan.strength import event_refusal
from games.chuhan.terms import Camp, CardId
from pbem.engine.options import Refusal

EVENTS: dict[CardId, type[Event]] = {
    "third-realm": affairs.ThirdRealm,
    "not-worth-counsel": affairs.NotWorthCounsel,
    "scholar-enlists": affairs.ScholarEnlists,
    "spies": affairs.Spies,
    "gifts": affairs.Gifts,
    "sow-discord": affairs.SowDiscord,
    "sons-of-jiangdong": provisions.SonsOfJiangdong,
    "elders-of-guanzhong": provisions.EldersOfGuanzhong,
    "new-king": provisions.NewKing,
    "cut-supplies": provisions.CutSupplies,
    "great-granary": provisions.GreatGranary,
    "backs-to-river": stratagems.BacksToRiver,
    "peerless": stratagems.Peerless,
    "lady-yu": stratagems.LadyYu,
    "matchless-captain": stratagems.MatchlessCaptain,
    "songs-of-chu": provisions.SongsOfChu,
    "sandbag-dam": stratagems.SandbagDam,
    "hegemon-roars": stratagems.HegemonRoars,
    "secret-road": stratagems.SecretRoad,
}


def unusable(pos: ChuhanPosition, card: CardId, side: Camp) -> Refusal | None:
    """1-4-1, 6-3: why a player may not use a card's event now: its requirement, or no effect."""
    return event_refusal(pos, card, side) or EVENTS[card].idle(pos, side)
