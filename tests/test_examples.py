"""Every script of the gallery runs to its end, without a warning."""

import runpy
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
    plt.close("all")
    try:
        runpy.run_path(str(script), run_name="__main__")
        for number in plt.get_fignums():
            plt.figure(number).canvas.draw()
    finally:
        plt.close("all")
    assert capsys.readouterr().out.strip()
