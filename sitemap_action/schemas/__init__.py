"""The schemas of the protocol, as files; NOTICE.md says where each comes from. `schema.py` reads them."""
