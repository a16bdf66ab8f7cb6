"""Three loops, the simplest first: receipts, budgeted, verified. Each is read in one sitting."""
