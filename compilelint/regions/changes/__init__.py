"""What is another value in the next call, so that it is compiled anew."""
