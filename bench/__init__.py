"""Benchmarks: ratios against floors and peers, measured side by side in one run."""
