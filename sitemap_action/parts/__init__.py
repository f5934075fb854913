"""A run in several parts, on several machines: what a part leaves behind, and how parts become one report."""
