"""system/linux: the kernel's network stack: interrupts, NAPI, sockets, wake-ups, a system call for each step.
Invariant: what several cores touch lies on named cache lines, and only those lines and their locks couple the cores."""
