// All tests in one process, with one server.
import "./ai.test.js";
import "./ai6.test.js";
import "./anthropic.test.js";
import "./docs.test.js";
import "./ends.test.js";
import "./http.test.js";
import "./langchain.test.js";
import "./mcp.test.js";
import "./openai-agents.test.js";
import "./routes.test.js";
