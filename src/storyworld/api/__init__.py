"""The HTTP contract: operations as one table, what they take and answer, and the document made of it."""
