"""Technologies behind the ports, one folder each. Only `freeform.wiring` names them."""
