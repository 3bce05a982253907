"""Adapters of the store port: a database that is embedded, and one in memory that passes the same tests."""
