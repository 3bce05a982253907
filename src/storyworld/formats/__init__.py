"""File formats: bytes or text from outside to values of the core, and back. One format a file."""
