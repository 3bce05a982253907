"""Performers: whoever voices a role. One provider a file."""
