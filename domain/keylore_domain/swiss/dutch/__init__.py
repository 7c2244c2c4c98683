"""Swiss rounds by the FIDE Dutch System (handbook C.04.3, rules of February 2026), for tables of two."""
