"""The version of this package, and of the other Checkline SDKs."""

VERSION = "1.0.0"
