"""The repository that the checked files lie in, as far as links to them need it."""
