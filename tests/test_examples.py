"""Every script of the gallery runs to its end, without a warning."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))


def test_there_are_examples():
    # The tests of an unpacked package without examples/ have nothing to run.
    if not EXAMPLES.is_dir():
        pytest.skip("examples/ is not here")
    assert len(SCRIPTS) > 5


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_script_runs(script, monkeypatch, capsys):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: None)
    monkeypatch.setattr(sys, "argv", [str(script)])  # not pytest's own
    plt.close("all")
    try:
        runpy.run_path(str(script), run_name="__main__")
        for number in plt.get_fignums():
            plt.figure(number).canvas.draw()
    finally:
        plt.close("all")
    assert capsys.readouterr().out.strip()


def test_the_main_job_writes_its_picture(monkeypatch, tmp_path, capsys):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    if not EXAMPLES.is_dir():
        pytest.skip("examples/ is not here")
    import matplotlib.pyplot as plt

    script, picture = EXAMPLES / "plot_model_selection.py", tmp_path / "curves.png"
    monkeypatch.setattr(sys, "argv", [str(script), str(picture)])
    try:
        runpy.run_path(str(script), run_name="__main__")
    finally:
        plt.close("all")
    assert f"The picture is in {picture}" in capsys.readouterr().out
    assert picture.read_bytes().startswith(b"\x89PNG")
