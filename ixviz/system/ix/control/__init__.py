"""The control plane of IX (IXCP): signals, step tables, policies, the moving of flow groups, parking and clocks.
Invariant: what it decides follows from the signals of its ticks and what it did before, nothing else."""
