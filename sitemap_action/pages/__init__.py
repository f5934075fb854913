"""What a listed URL is: a built file as a static host serves it, or a live answer; and what that says of itself."""
