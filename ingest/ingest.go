// Package ingest reads a bundle: from bytes to statements, each with its place. It compares no two statements and
// concludes nothing. Its door is Open and Read.
package ingest
