"""What the program `achievable-pr` is made of: files in, results, text and files out."""
