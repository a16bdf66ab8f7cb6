"""Evals: cases, outcome checks that read the trace, metrics with their denominators, and agents that must fail."""
