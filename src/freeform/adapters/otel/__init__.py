"""OpenTelemetry, where somebody watches."""
