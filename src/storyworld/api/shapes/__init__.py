"""What is answered, as JSON Schema: plain dicts that stand in the published document."""
