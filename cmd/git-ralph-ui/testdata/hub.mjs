// A State Hub for tests: node hub.mjs STATE stdio | node hub.mjs STATE PORT. STATE is a file with JSON, where the test sets what is
// to go wrong and reads what became of it.
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const [file, where] = process.argv.slice(2);
const oldWords = { task: ["todo", "in_progress", "blocked", "done", "cancelled"], workstream: ["active", "done", "paused"] };
const newWords = {
  task: ["wait", "todo", "progress", "done", "cancel"],
  workstream: ["proposed", "ready", "active", "blocked", "backlog", "finished", "archived"],
};

const load = () => JSON.parse(readFileSync(file, "utf8"));
const save = (state) => {
  writeFileSync(file + ".new", JSON.stringify(state));
  renameSync(file + ".new", file);
};

class Failure extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

// alone has no other hub change the state meanwhile: one over stdio outlives the client that was killed.
function alone(act) {
  for (;;) {
    try {
      closeSync(openSync(file + ".lock", "wx"));
      break;
    } catch (e) {
      if (e.code !== "EEXIST") throw e;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  const unlock = () => rmSync(file + ".lock", { force: true });
  process.on("exit", unlock);
  try {
    return act();
  } finally {
    process.off("exit", unlock);
    unlock();
  }
}

// change runs a change of the state, and whatever is to go wrong with it.
const change = (act) => alone(() => changeAlone(act));

function changeAlone(act) {
  const state = load();
  const fault = state.faults.shift() ?? "";
  save(state);
  if (fault === "kill-before") process.exit(1);
  if (fault === "error") return { error: "database is locked" };
  if (/^\d+$/.test(fault)) throw new Failure(Number(fault), "not now");
  const result = act(state);
  save(state);
  if (fault === "kill-after") process.exit(1);
  return result;
}

function setStatus(kind, id, status) {
  return change((state) => {
    const words = (state.newer ? newWords : oldWords)[kind];
    if (!(id in state.status)) throw new Failure(404, kind + " not found");
    if (!words.includes(status)) throw new Failure(422, "invalid status: must be one of " + words.join(", "));
    state.log.push(id + " " + status);
    state.status[id] = status;
    return { id, status };
  });
}

function getStatus(id) {
  const state = load();
  if (!(id in state.status)) throw new Failure(404, "not found");
  return { id, status: state.status[id] };
}

const addEvent = (event) => change((state) => ({ id: String(state.events.push(event)) }));
const listEvents = () => load().events;

// over calls a function as a tool does.
async function over(act) {
  try {
    return { content: [{ type: "text", text: JSON.stringify(act()) }] };
  } catch (e) {
    return { content: [{ type: "text", text: JSON.stringify({ error: e.message }) }] };
  }
}

function newServer() {
  const server = new McpServer({ name: "hub", version: "1" });
  const id = z.string();
  const tool = (name, inputSchema, act) => server.registerTool(name, { inputSchema }, (a) => over(() => act(a)));
  tool("update_task_status", { task_id: id, status: id, blocking_reason: id.optional() }, (a) => setStatus("task", a.task_id, a.status));
  tool("update_workstream_status", { workstream_id: id, status: id }, (a) => setStatus("workstream", a.workstream_id, a.status));
  tool("add_progress_event", {
    summary: id, event_type: id, topic_id: id.optional(), workstream_id: id.optional(), task_id: id.optional(), detail: z.any().optional(),
  }, addEvent);
  tool("get_task", { task_id: id }, (a) => getStatus(a.task_id));
  tool("get_workstream", { workstream_id: id }, (a) => getStatus(a.workstream_id));
  tool("list_progress_events", { workstream_id: id }, listEvents);
  return server;
}

async function readBody(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? undefined : JSON.parse(text);
}

function rest(method, path, body) {
  const [, kind, id] = path.split("/");
  const workstreams = load().newer ? "workplans" : "workstreams";
  if (method === "PATCH" && kind === "tasks") return setStatus("task", id, body.status);
  if (method === "PATCH" && kind === workstreams) return setStatus("workstream", id, body.status);
  if (method === "GET" && (kind === "tasks" || kind === workstreams)) return getStatus(id);
  if (method === "POST" && kind === "progress") return addEvent(body);
  if (method === "GET" && kind === "progress") return listEvents();
  throw new Failure(404, "Not Found");
}

const streams = {};

async function serve(request, response) {
  const url = new URL(request.url, "http://localhost");
  if (url.pathname === "/mcp") {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await newServer().connect(transport);
    return transport.handleRequest(request, response, await readBody(request));
  }
  if (url.pathname === "/sse" && request.method === "GET") {
    const transport = new SSEServerTransport("/messages", response);
    streams[transport.sessionId] = transport;
    return newServer().connect(transport);
  }
  if (url.pathname === "/messages") {
    return streams[url.searchParams.get("sessionId")].handlePostMessage(request, response, await readBody(request));
  }
  let code = 200;
  let reply;
  try {
    reply = rest(request.method, url.pathname, await readBody(request));
  } catch (e) {
    code = e.code ?? 500;
    reply = { detail: e.message };
  }
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(reply));
}

if (where === "stdio") await newServer().connect(new StdioServerTransport());
else createServer((request, response) => serve(request, response).catch(() => response.destroy())).listen(Number(where), "127.0.0.1");
