"""Settings for all tests: property tests are not judged by the clock."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("pbem", deadline=None, print_blob=True)
settings.load_profile("pbem")
