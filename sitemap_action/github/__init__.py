"""Everything that knows GitHub: its environment, files and API. Nothing here can fail a gate."""
