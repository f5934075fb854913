"""What the user asks for, as words, settings and options; and how the command behaves on the machine where it runs."""
