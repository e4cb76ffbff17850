"""Whole jobs: real files, engines from the launcher, rank processes."""
