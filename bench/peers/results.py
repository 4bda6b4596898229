"""The measurements of a run."""

from dataclasses import dataclass, field


@dataclass
class Results:
    svm_shapes: list
    knn_shapes: list
    machine: dict = field(default_factory=dict)
    ours: dict = field(default_factory=dict)       # shape: the list of bisector-timing's measurements
    peers: dict = field(default_factory=dict)      # shape: {peer: Timing}
    agreement: dict = field(default_factory=dict)  # shape: {what: largest relative error}
    shapley: dict = field(default_factory=dict)
    latency: dict = field(default_factory=dict)
    scaling: list = field(default_factory=list)

    def measured(self, shape, precision, threads=None):
        """bisector on all threads by default."""
        fitting = [m for m in self.ours[shape] if m["precision"] == precision and threads in (None, m["threads"])]
        return max(fitting, key=lambda m: m["threads"])

    def per_row(self, shape, what, precision):
        own = self.measured(shape, precision)
        return own[what] / own["rows"]

    def share(self, shape, precision, threads=None):
        """The fraction of the rate of a matrix product, with three products per explanation."""
        own = self.measured(shape, precision, threads)
        operations = 6.0 * own["rows"] * shape.points * shape.features
        return 1e-9 * operations / own["explain"] / own["peak"]
