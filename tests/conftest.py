"""Settings for all tests: property tests are not judged by the clock, and nothing waits for the disk."""

from __future__ import annotations

from hypothesis import settings

from tests.disk import do_not_wait

settings.register_profile("pbem", deadline=None, print_blob=True)
settings.load_profile("pbem")
do_not_wait()
