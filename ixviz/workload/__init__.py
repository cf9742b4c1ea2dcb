"""workload: who sends what when, as data in blocks (open loop, captures) or as clients that answer (closed loops).
Invariant: what is sent depends on the scenario and its seed alone; in open loops not on the system either."""
