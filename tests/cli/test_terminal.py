"""A person plays at a terminal: options by number, words for the stage, commands, and ways to leave."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.application.playhouse import package_bytes
from tests.cli.processes import Terminal, storyworld


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    """A file with a small story that does not end so soon."""
    path = tmp_path / "ferry.json"
    ending = {"id": "over", "title": "Over", "description": "Ashore.", "conditions": ["beat > 50"]}
    path.write_bytes(package_bytes(endings=[ending]))
    return path


def test_a_person_speaks_chooses_looks_around_and_ends(tmp_path: Path, ferry: Path) -> None:
    terminal = Terminal("play", str(ferry), "--seed", "3", folder=tmp_path)
    opening = terminal.expect("> ")
    assert "The Ferry" in opening
    assert "1. Go on board" in opening
    terminal.type("/help")
    assert "/status" in terminal.expect("> ")
    terminal.type("9")
    assert "there is no option 9; the last one is 1" in terminal.expect("> ")
    terminal.type("/focus ada zoe")
    assert "there is no role zoe; there are ada, ben" in terminal.expect("> ")
    terminal.type("/focus ada")
    assert "on stage: ada" in terminal.expect("> ")
    terminal.type("All aboard? 上船！")
    beat = terminal.expect("> ")
    assert "Beat 1" in beat
    assert "skipped: ben (not_in_focus: " in beat
    terminal.type("/focus")
    assert "on stage: the first three roles" in terminal.expect("> ")
    terminal.type("／focus\u3000ben")
    assert "on stage: ben" in terminal.expect("> ")
    terminal.type("/")
    assert "/status" in terminal.expect("> ")
    terminal.type("/focus")
    assert "on stage: the first three roles" in terminal.expect("> ")
    terminal.type("１")
    beat = terminal.expect("> ")
    assert "Beat 2" in beat
    assert "→ The boat — The harbour\r\n  Cross over." in beat
    terminal.type("1")
    assert "there are no options now" in terminal.expect("> ")
    terminal.type("/status")
    status = terminal.expect("> ")
    assert "flag lamp: " in status
    assert "been at: quay, boat" in status
    terminal.type("/episode")
    assert "one: One — Cross." in terminal.expect("> ")
    terminal.type("/episode two")
    assert "episode_unknown" in terminal.expect("> ")
    terminal.type("/episode one")
    assert "episode one: 0 beats used" in terminal.expect("> ")
    terminal.type("/say 1")
    assert "episode one: 1 beat used" in terminal.expect("> ")
    terminal.type("/end")
    assert "The session is ended" in terminal.expect("all 6 beats hold")
    assert terminal.end() == 0


def test_a_refused_move_is_told_and_asked_again_and_costs_no_beat(tmp_path: Path, ferry: Path) -> None:
    terminal = Terminal("play", str(ferry), "--beats", "1", folder=tmp_path)
    terminal.expect("> ")
    for _ in range(2):
        # A terminal in its ordinary mode takes no more than 4,095 bytes in a line.
        terminal.type("x" * 2001)
        assert "text exceeds 2000 characters" in terminal.expect("> ").replace("\r\n", " ")
    terminal.type("")
    assert "Beat 1" in terminal.expect("all 2 beats hold")
    assert terminal.end() == 0


def test_leaving_keeps_the_session(tmp_path: Path, ferry: Path) -> None:
    for leave in (b"/quit\r", b"\x04"):
        terminal = Terminal("play", str(ferry), folder=tmp_path)
        terminal.expect("> ")
        terminal.type("")
        terminal.expect("Beat 1")
        terminal.expect("> ")
        terminal.press(leave)
        terminal.expect("all 2 beats hold")
        assert terminal.end() == 0
    assert storyworld("verify", "--all", folder=tmp_path).out.count("all 2 beats hold") == 2


def test_an_interruption_at_the_prompt_ends_at_once_and_keeps_the_session(tmp_path: Path, ferry: Path) -> None:
    terminal = Terminal("play", str(ferry), folder=tmp_path)
    terminal.expect("> ")
    terminal.interrupt()
    terminal.expect("interrupted; session ses_")
    assert terminal.end() == 130
    assert storyworld("verify", "--all", folder=tmp_path).exit_code == 0


def test_bytes_that_are_no_text_are_not_said_on_stage(tmp_path: Path, ferry: Path) -> None:
    terminal = Terminal("play", str(ferry), folder=tmp_path)
    terminal.expect("> ")
    terminal.press(b"/say \xff\xfe\r")
    assert "that was not UTF-8" in terminal.expect("> ")
    terminal.type("/quit")
    assert terminal.end() == 0


def test_a_terminal_has_colour_unless_it_is_told_not_to(tmp_path: Path, ferry: Path) -> None:
    coloured = Terminal("play", str(ferry), "--auto", "--beats", "1", folder=tmp_path)
    assert coloured.end() == 0
    assert "\x1b[1;36m" in coloured.raw
    plain = Terminal("play", str(ferry), "--auto", "--beats", "1", folder=tmp_path, NO_COLOR="1")
    assert plain.end() == 0
    assert "36m" not in plain.raw
    dumb = Terminal("play", str(ferry), "--auto", "--beats", "1", folder=tmp_path, TERM="dumb")
    assert dumb.end() == 0
    assert "\x1b" not in dumb.raw


def test_a_narrow_terminal_is_never_overrun_not_by_chinese_either(tmp_path: Path) -> None:
    path = tmp_path / "渡口.json"
    path.write_bytes(package_bytes(title="渡口" * 30, language="zh-Hans"))
    terminal = Terminal("play", str(path), "--auto", "--beats", "3", folder=tmp_path, columns=24)
    assert terminal.end() == 0
    assert max(cell_len(line) for line in terminal.text.splitlines()) <= 24
    assert "渡口" in terminal.text


def test_by_itself_a_story_asks_nobody(tmp_path: Path, ferry: Path) -> None:
    for option in ("--auto", "--json"):
        terminal = Terminal("play", str(ferry), option, "--beats", "2", folder=tmp_path)
        assert terminal.end() == 0
        assert "> " not in terminal.text.replace("→ ", "")
