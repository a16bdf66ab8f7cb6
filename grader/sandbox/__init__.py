"""A student behind a wall: the supervisor keeps the tools and the ledger, a confined child runs the notebook."""
