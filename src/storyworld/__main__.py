"""`python -m storyworld` is the command line."""

from storyworld.cli import main

main(prog_name="storyworld")
