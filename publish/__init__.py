"""The course for people who read on their own: the pages, the browser's notebooks, the PDF. Not part of the wheel."""
