// Package ingest reads a bundle: from bytes to statements, each with its place. It compares and concludes nothing. See Open and Read.
package ingest
