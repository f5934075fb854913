"""Every document once: those of files and directories, and those of live origins."""
