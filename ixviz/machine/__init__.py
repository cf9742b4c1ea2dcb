"""machine: hardware every system runs on: agenda, NIC, hardware threads, random streams.
Invariant: imports history and nothing else of ours; all of its state that a person can see lies in slots."""
