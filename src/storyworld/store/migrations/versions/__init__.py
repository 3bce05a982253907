"""Numbered migrations, one file each. They repeat their tables instead of importing them, since those move on."""
