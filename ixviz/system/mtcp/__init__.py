"""system/mtcp: TCP in the application's own process: on each core a TCP thread and an application thread take turns.
Invariant: the two threads of a core hand each other batches by queues; nothing is shared between cores."""
