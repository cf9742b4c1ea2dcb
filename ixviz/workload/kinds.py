"""Kinds of frame, as the server's NIC sees them.
Invariant: the numbers are stable; captures, clients and systems use the same."""

DATA, ACK, SYN, FIN, RST, OTHER = range(6)
NAMES = ("data", "ack", "syn", "fin", "rst", "other")
ANSWERED = (True, False, True, True, False, False)  # whether the server sends a frame back
