"""The generic adversary: three searches for what nobody thought of (`python -m tests.adversary`)."""
