"""真田軍記: Sanada's War Chronicle, the two sieges of Osaka 1614-15."""
