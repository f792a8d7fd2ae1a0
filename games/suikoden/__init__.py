"""乙女遊戯 水滸伝 (Otome Yugi Suikoden): the rules, one module per part of the book."""
