"""The way from every released schema to the present one. A migration that was released is never edited."""
