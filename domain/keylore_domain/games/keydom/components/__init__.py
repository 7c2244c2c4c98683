"""The printed components of Keydom: types of the data file, its checks and look-ups."""
