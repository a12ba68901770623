"""The cmd front end and the tables behind it."""
