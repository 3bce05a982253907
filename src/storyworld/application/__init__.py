"""Use cases: verbs over the pure core, on ports only."""
