"""The policy editor's bench: look at rules, test and mutate their examples, find what is wrong with them."""
