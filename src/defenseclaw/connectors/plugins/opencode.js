// defenseclaw-managed-plugin v7
// Written by `defenseclaw setup opencode`; an edited file is not touched again.
//
// Each event is handed to DefenseClaw's hook client, which knows the gateway, the credential and
// what to do when nobody answers. What is thrown before a tool runs stops it.
import { spawn } from "node:child_process"

const COMMAND = "@DEFENSECLAW_COMMAND@"
const TIMEOUT_MS = 35_000 // above every deadline of the client
const MAX_ANSWER = 1024 * 1024
const MAX_BODY = 900 * 1024 // below what the client takes
const WORDS = new Set(["allow", "alert", "confirm", "block"])
const SESSION_EVENTS = new Set([
  "session.created", "session.updated", "session.status", "session.idle",
  "session.compacted", "session.error", "session.deleted",
])
const FAILED =
  "DefenseClaw's hook client could not run, so the call was blocked; run `defenseclaw doctor`."

function start(event) {
  if (!Array.isArray(COMMAND)) throw new Error("not installed")
  const [program, ...words] = COMMAND
  return spawn(program, [...words, "--event", event], {
    stdio: ["pipe", "pipe", "ignore"],
    shell: false,
    windowsHide: true,
  })
}

// The client's answer, or a rejection; never hangs.
function ask(event, body) {
  return new Promise((resolve, reject) => {
    const child = start(event)
    const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS)
    let answer = ""
    const fail = (why) => {
      clearTimeout(timer)
      child.kill("SIGKILL")
      reject(new Error(why))
    }
    child.on("error", () => fail("the client cannot be started"))
    child.stdin.on("error", () => {}) // it may answer before it has read everything
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text) => {
      answer += text
      if (answer.length > MAX_ANSWER) fail("the answer is too long")
    })
    child.on("close", (code) => {
      clearTimeout(timer)
      try {
        const found = JSON.parse(answer)
        if (code !== 0 || !WORDS.has(found.action)) throw new Error("unknown answer")
        resolve(found)
      } catch (error) {
        reject(error)
      }
    })
    child.stdin.end(JSON.stringify(body))
  })
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)
const text = (value) => (typeof value === "string" ? value : "")
const pick = (holder, ...names) => text(names.map((name) => holder?.[name]).find(text))

function toolBody(event, cwd, input, args, response) {
  return {
    hook_event_name: event,
    tool_name: text(input?.tool),
    tool_input: isObject(args) ? args : {},
    tool_response: isObject(response) ? response : null,
    session_id: pick(input, "sessionID", "sessionId"),
    turn_id: pick(input, "messageID", "messageId"),
    tool_call_id: pick(input, "callID", "callId"),
    agent_name: text(input?.agent),
    cwd,
  }
}

function sessionBody(event, cwd) {
  const given = isObject(event.properties) ? event.properties : {}
  const info = isObject(given.info) ? given.info : {}
  const status = given.status ?? info.status
  return {
    hook_event_name: event.type,
    session_id: pick(given, "sessionID", "sessionId") || pick(info, "id", "sessionID"),
    parent_session_id: pick(given, "parentID") || pick(info, "parentID"),
    agent_name: pick(given, "agent") || pick(info, "agent"),
    status: event.type === "session.error" ? "error" : text(status?.type ?? status),
    cwd,
  }
}

export const DefenseClaw = async ({ directory, worktree } = {}) => {
  const cwd = text(directory) || text(worktree)
  return {
    "tool.execute.before": async (input, output) => {
      let answer
      try {
        const body = toolBody("tool.execute.before", cwd, input, output?.args, null)
        answer = await ask("tool.execute.before", body)
      } catch {
        answer = { action: "block", reason: FAILED }
      }
      if (answer.action === "block" || answer.action === "confirm")
        throw new Error(text(answer.reason) || FAILED)
    },
    // Awaited, so that an outcome is known before the next call is judged.
    "tool.execute.after": async (input, output) => {
      try {
        const body = toolBody("tool.execute.after", cwd, input, input?.args, output)
        if (JSON.stringify(body).length > MAX_BODY) body.tool_response = null
        await ask("tool.execute.after", body)
      } catch {
        // The effect has happened; an error here would only hide its result.
      }
    },
    event: async ({ event } = {}) => {
      try {
        if (SESSION_EVENTS.has(event?.type)) await ask(event.type, sessionBody(event, cwd))
      } catch {
        // Nothing of a session depends on it.
      }
    },
  }
}
