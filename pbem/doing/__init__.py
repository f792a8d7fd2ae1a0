"""What can be done with games, apart from saying it: functions that return records and print nothing.

The command line prints the records, a page in the browser sends them, a test compares them. Whoever calls
brings the home, and a function that gives the private key when it is needed (`Key`): it may have to ask
for a passphrase. Every function may be killed anywhere: called again, it finishes what was begun.
"""
