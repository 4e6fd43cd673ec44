"""LangGraph's checkpoint savers, opened where the settings say."""
