"""What is signed: the contract's papers and the entries, their fields, bounds and times."""
