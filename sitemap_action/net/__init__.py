"""Asking servers: politely, within bounds, and never an address that nobody named or that is not public."""
