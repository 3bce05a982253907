"""A process that serves: its socket and signals, its one claim on a data folder, its log and its figures."""
