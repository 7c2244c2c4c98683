"""The games. Each is a plug-in of the engine; none knows another."""
