"""What pictures of several systems draw alike.
Invariant: nothing here knows one system, or reads what happened after the moment."""
