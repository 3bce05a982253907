"""The sentences of the rehearsal, as data: one file a language, all with the same slots."""
