"""A trace of memory accesses, replayed through private caches under a coherence protocol; no packets, no kernel.
Invariant: the accesses happen one after the other, in the order of the file."""
