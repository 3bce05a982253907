"""What Alembic runs: the migrations, in the transaction of the connection that it was given."""

from __future__ import annotations

from alembic import context

from storyworld.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
