"""measure: metrics of a run, sweeps over runs, published values beside ours.
Invariant: every figure is computed from a run; nothing that stands beside a published value is typed in."""
