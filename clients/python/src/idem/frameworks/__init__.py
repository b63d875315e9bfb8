"""Guards for frameworks, one line each. A module imports its framework when it is used, never before.

``asgi`` (FastAPI, Starlette) and ``celery`` are tried with the real packages, ``langchain`` (LangChain, LangGraph) and
``openai_agents`` with fakes that follow the packages' source.
"""
