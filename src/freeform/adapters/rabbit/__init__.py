"""RabbitMQ, spoken to with FastStream."""
