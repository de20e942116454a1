"""Documentation pages made of rulesets: what is checked, by which clause, with which consequence."""
