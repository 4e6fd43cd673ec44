"""Several web processes on one port: who starts them, what one of them does, what is passed on."""
