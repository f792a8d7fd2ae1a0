"""What work costs, however busy the machine is."""

from __future__ import annotations

import resource
from collections.abc import Callable
from typing import Any


def cost(work: Callable[[], Any]) -> float:
    """Seconds of processor time, git's included: other work on the machine does not count."""

    def spent() -> float:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(one.ru_utime + one.ru_stime for one in used)

    began = spent()
    work()
    return spent() - began
