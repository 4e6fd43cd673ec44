"""Readers of PDF files behind the ingest ports: pdf_oxide by default, pdfium to draw pages, PyMuPDF
on request."""
