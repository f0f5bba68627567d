// A program may be empty but for comments.
