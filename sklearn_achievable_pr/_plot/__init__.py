"""What displays draw, and how."""
