"""The number of samples of a planned study."""

from __future__ import annotations

from dataclasses import dataclass

from ._rendering import percent, samples_text
from ._result import Result


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class SampleSizeResult(Result):
    """Number of samples of a planned study, as returned by `required_sample_size`.

    Attributes
    ----------
    n_samples, n_positive : int
        Numbers of samples and, among them, of positives.
    n_clusters : int or None
        Number of clusters; None if the pilot had no clusters.
    width : float or None
        The planned width of the interval; None for a test.
    difference, power : float or None
        The difference that the test should detect, and its power; None for an interval.
    confidence_level : float
        Confidence level of the interval; 1 minus the significance level of the test.
    auc_pr, assumed_prevalence, spread : float or None
        The assumed AUC-PR, prevalence and spread of the scores; None with a pilot.
    correlation : float or None
        Assumed correlation of the two scores; None for an interval or with a pilot.
    """

    n_samples: int
    n_positive: int
    n_clusters: int | None
    confidence_level: float
    width: float | None = None
    difference: float | None = None
    power: float | None = None
    auc_pr: float | None = None
    assumed_prevalence: float | None = None
    spread: float | None = None
    correlation: float | None = None

    def _blocks(self):
        if self.width is None:
            aim = (
                f"a test with power {self.power:g} to detect a difference of "
                f"{self.difference:g} (significance level {1 - self.confidence_level:g})"
            )
        else:
            level = percent(self.confidence_level)
            about = f"(about +- {self.width / 2:g})"
            aim = f"a {level} confidence interval of width {self.width:g} {about}"
        assumed = "the variance of the pilot"
        if self.auc_pr is not None:
            assumed = (
                f"binormal scores with AUC-PR {self.auc_pr:g}, "
                f"prevalence {self.assumed_prevalence:g}, spread {self.spread:g}"
            )
        if self.correlation is not None:
            assumed += f", correlation {self.correlation:g}"
        samples = samples_text(self.n_samples, self.n_clusters)
        needed = f"{samples}, {self.n_positive} of them positive, are needed"
        return [needed, f"for {aim}.", f"Assumed: {assumed}."]
