"""What a player looks at: scene to picture, terminal board, local page, replay page."""
