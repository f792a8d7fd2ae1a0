"""The static site: pbem in a browser, without installation."""
