"""The kinds of pages, one module each: a function takes a book and yields paths with their texts."""
