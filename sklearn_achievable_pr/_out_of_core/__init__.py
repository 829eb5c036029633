"""Counts and areas of data larger than memory."""
