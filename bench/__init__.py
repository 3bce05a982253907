"""How fast storyworld is, measured on the machine at hand: `python -m bench`. See docs/bench.md."""
