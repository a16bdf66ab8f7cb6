"""What an instructor uses: a folder of notebooks in, verdicts, tables and feedback out."""
