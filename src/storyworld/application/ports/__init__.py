"""What the use cases need from outside: a store that is reached project first, performers, and the real world's facts.

The store speaks bytes: canonical JSON goes in, and the same bytes come out. It judges nothing but heads, keys and caps.
"""

from storyworld.application.ports.faults import (
    FailPoint,
    IntegrityFailed,
    SchemaTooNew,
    StorageFull,
    StorageUnavailable,
    StoreError,
)
from storyworld.application.ports.sessions import (
    Appended,
    ForkPoint,
    NewBeat,
    NewSession,
    Once,
    Standing,
    StoredAnswer,
    StoredBeat,
    StoredSession,
)
from storyworld.application.ports.store import (
    ProjectStore,
    Store,
)
from storyworld.application.ports.surroundings import (
    Clock,
    Identity,
    Performer,
    Watchers,
)
from storyworld.application.ports.works import (
    StoredAgent,
    StoredRevision,
    Work,
    WorkKind,
)

__all__ = [
    "Appended",
    "Clock",
    "FailPoint",
    "ForkPoint",
    "Identity",
    "IntegrityFailed",
    "NewBeat",
    "NewSession",
    "Once",
    "Performer",
    "ProjectStore",
    "SchemaTooNew",
    "Standing",
    "StorageFull",
    "StorageUnavailable",
    "Store",
    "StoreError",
    "StoredAgent",
    "StoredAnswer",
    "StoredBeat",
    "StoredRevision",
    "StoredSession",
    "Watchers",
    "Work",
    "WorkKind",
]
