"""Playing without a store: for tests, playtests and figures. Everything here is pure, chance included."""
