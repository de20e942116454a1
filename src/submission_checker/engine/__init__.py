"""The interpreter: lays a ruleset over a folder of documents. It knows no word of any policy."""
