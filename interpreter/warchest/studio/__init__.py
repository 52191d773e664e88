"""The studio: a page with an editor and a board, served by this computer or exported as files for any web host."""
