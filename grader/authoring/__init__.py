"""For people who write the course: one source a session, the notebooks made from it, and the test of the checks."""
