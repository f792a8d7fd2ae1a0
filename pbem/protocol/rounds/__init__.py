"""What a round waits for, what its answers do, and what one seat keeps to itself."""
