"""system/ix: the IX dataplane (Belay et al., OSDI 2014 and TOCS 2016): run to completion with adaptive batching.
Invariant: a core never waits to form a batch; what it takes it carries through all stages before it polls again."""
