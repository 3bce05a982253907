"""What the use cases need from outside: a store that is reached project first, performers, and the real world's facts.

The store speaks bytes: canonical JSON goes in, and the same bytes come out. It judges nothing but heads, keys and caps.
"""

from storyworld.application.ports.access import KeyScope, Project, StoredKey
from storyworld.application.ports.deliberations import (
    Deliberation,
    DeliberationStatus,
    NewDeliberation,
    StoredDeliberation,
)
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
    NewRun,
    NewSession,
    Once,
    Standing,
    StoredAnswer,
    StoredBeat,
    StoredRun,
    StoredSession,
)
from storyworld.application.ports.store import ProjectStore, Store
from storyworld.application.ports.surroundings import Assistant, Audience, Clock, Hear, Identity, Performer, Watchers
from storyworld.application.ports.works import (
    DraftPut,
    NewDraft,
    RevisionSummary,
    StoredAgent,
    StoredDraft,
    StoredRevision,
    Work,
    WorkKind,
)

__all__ = [
    "Appended",
    "Assistant",
    "Audience",
    "Clock",
    "Deliberation",
    "DeliberationStatus",
    "DraftPut",
    "FailPoint",
    "ForkPoint",
    "Hear",
    "Identity",
    "IntegrityFailed",
    "KeyScope",
    "NewBeat",
    "NewDeliberation",
    "NewDraft",
    "NewRun",
    "NewSession",
    "Once",
    "Performer",
    "Project",
    "ProjectStore",
    "RevisionSummary",
    "SchemaTooNew",
    "Standing",
    "StorageFull",
    "StorageUnavailable",
    "Store",
    "StoreError",
    "StoredAgent",
    "StoredAnswer",
    "StoredBeat",
    "StoredDeliberation",
    "StoredDraft",
    "StoredKey",
    "StoredRevision",
    "StoredRun",
    "StoredSession",
    "Watchers",
    "Work",
    "WorkKind",
]
