// defenseclaw-managed-plugin v2
// Written by `defenseclaw setup amp`; an edited file is not touched again.
//
// Each event is handed to DefenseClaw's hook client, which knows the gateway, the credential and
// what to do when nobody answers. No handler lets an error out: what Amp would do with one is open.
import type { PluginAPI } from "@ampcode/plugin"
import { spawn } from "node:child_process"

type Json = Record<string, unknown>
type Answer = { action: string; reason: string }

const COMMAND: unknown = "@DEFENSECLAW_COMMAND@"
const TIMEOUT_MS = 35_000 // above every deadline of the client
const MAX_ANSWER = 1024 * 1024
const MAX_BODY = 900 * 1024 // below what the client takes
const WORDS = new Set(["allow", "alert", "confirm", "block"])
const BOUNDARY = /(^|[._:-])(oracle|task|subagent)($|[._:-])/i
const WITHHELD = "[DefenseClaw withheld this tool result before model delivery.]"
const FAILED =
  "DefenseClaw's hook client could not run, so this was stopped; run `defenseclaw doctor`."

const nonce = Math.random().toString(36).slice(2)
let sequence = 0
const turns = new Map<string, string>()
const agents = new Map<string, Json>()

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const text = (value: unknown): string => (typeof value === "string" ? value : "")

// The client's answer, or a rejection; never hangs.
function ask(event: string, body: Json): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (!Array.isArray(COMMAND)) throw new Error("not installed")
    const [program, ...words] = COMMAND as string[]
    const child = spawn(program as string, [...words, "--event", event], {
      stdio: ["pipe", "pipe", "ignore"],
      shell: false,
      windowsHide: true,
    })
    const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS)
    let answer = ""
    const fail = (why: string) => {
      clearTimeout(timer)
      child.kill("SIGKILL")
      reject(new Error(why))
    }
    child.on("error", () => fail("the client cannot be started"))
    child.stdin.on("error", () => {}) // it may answer before it has read everything
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (part: string) => {
      answer += part
      if (answer.length > MAX_ANSWER) fail("the answer is too long")
    })
    child.on("close", (code: number | null) => {
      clearTimeout(timer)
      try {
        const found: unknown = JSON.parse(answer)
        if (code !== 0 || !isObject(found) || !WORDS.has(text(found.action)))
          throw new Error("unknown answer")
        resolve({ action: text(found.action), reason: text(found.reason) })
      } catch (error) {
        reject(error)
      }
    })
    child.stdin.end(JSON.stringify(body))
  })
}

const closed = (): Answer => ({ action: "block", reason: FAILED })

// Who works in a thread. A failed look-up is not remembered.
async function agentOf(thread: string, ctx: any): Promise<Json> {
  const known = agents.get(thread)
  if (known) return known
  try {
    const found: unknown = await ctx?.thread?.agent?.()
    if (isObject(found)) {
      const name = text(found.name) || text(found.displayName) || text(found.mode) || "amp"
      const custom = !found.mode
      const facts: Json = {
        agent_name: name,
        agent_type: custom ? "agent-definition" : name,
        ...(custom ? { agent_definition_kind: "agent-definition" } : { agent_mode: name }),
        ...(found.displayName ? { agent_display_name: text(found.displayName) } : {}),
        ...(found.model ? { model: text(found.model) } : {}),
      }
      agents.set(thread, facts)
      return facts
    }
  } catch {
    // It is asked again with the next event.
  }
  return { agent_name: "amp", agent_type: "amp" }
}

function folderOf(ctx: any): string {
  try {
    const root: unknown = ctx?.workspace?.root ?? ctx?.system?.workspaceRoot
    return text(root) || text((root as any)?.path) || text((root as any)?.fsPath) || process.cwd()
  } catch {
    return ""
  }
}

// What every event tells. The number is taken before anything is awaited.
function baseOf(event: string, given: any, native: string, number: number, ctx: any): Json {
  const thread = text(given?.thread?.id) || text(ctx?.thread?.id)
  const turn = event === "session.start" ? "" : (turns.get(thread) ?? "")
  return {
    hook_event_name: event,
    session_id: thread,
    thread_id: thread,
    turn_id: turn,
    message_id: turn,
    source_event_id: `${event}:${thread}:${native}:${nonce}:${number}`,
    source_sequence: String(number),
    cwd: folderOf(ctx),
  }
}

function callOf(given: any): Json {
  const tool = text(given?.tool)
  return {
    tool_call_id: text(given?.toolUseID),
    tool_name: tool,
    tool_input: isObject(given?.input) ? given.input : {},
    delegation_boundary: BOUNDARY.test(tool),
  }
}

// An event that stops nothing is told shorter rather than not at all.
function bounded(body: Json): Json {
  const bytes = JSON.stringify(body).length
  if (bytes <= MAX_BODY) return body
  const kept = ["hook_event_name", "session_id", "thread_id", "turn_id", "message_id", "cwd",
    "source_event_id", "source_sequence", "tool_call_id", "tool_name", "status"]
  const short = Object.fromEntries(kept.filter((key) => key in body).map((key) => [key, body[key]]))
  return { ...short, content_truncated: true, original_body_bytes: bytes }
}

async function tell(event: string, body: Json): Promise<void> {
  try {
    await ask(event, bounded(body))
  } catch {
    // Nothing depends on it.
  }
}

const isForeground = (amp: any, thread: string): boolean => {
  try {
    return thread !== "" && text(amp?.activeThread?.current?.id) === thread
  } catch {
    return false
  }
}

async function notify(amp: any, ctx: any, thread: string, reason: string): Promise<void> {
  try {
    if (isForeground(amp, thread)) await (ctx?.ui ?? amp?.ui)?.notify?.(reason)
  } catch {
    // A message that cannot be shown changes nothing.
  }
}

// Empty where the user agreed, else why this goes no further.
async function refusal(
  amp: any, ctx: any, thread: string, reason: string, title: string, button: string,
): Promise<string> {
  const background = `${reason} Nobody can be asked about a background thread.`
  if (!isForeground(amp, thread)) return background
  try {
    const ui = ctx?.ui ?? amp?.ui
    const agreed = await ui.confirm({ title, message: reason, confirmButtonText: button })
    if (agreed !== true) return `${reason} The user said no.`
    return isForeground(amp, thread) ? "" : background
  } catch (error) {
    let missing = false
    try {
      missing = amp?.helpers?.isPluginUINotAvailableError?.(error) === true
    } catch {
      // It stays an error of the question.
    }
    return missing
      ? `${reason} The question cannot be shown here.`
      : `${reason} The question failed.`
  }
}

export default function defenseclaw(amp: PluginAPI): void {
  const host = amp as any

  host.on("session.start", async (given: any, ctx: any) => {
    const body = baseOf("session.start", given, "start", ++sequence, ctx)
    await tell("session.start", { ...body, ...(await agentOf(text(body.session_id), ctx)) })
  })

  host.on("agent.start", async (given: any, ctx: any) => {
    const number = ++sequence
    const thread = text(given?.thread?.id) || text(ctx?.thread?.id)
    agents.delete(thread)
    turns.set(thread, text(given?.id))
    const body = baseOf("agent.start", given, text(given?.id), number, ctx)
    const facts = await agentOf(thread, ctx)
    await tell("agent.start", { ...body, ...facts, prompt: text(given?.message) })
    return undefined
  })

  host.on("tool.call", async (given: any, ctx: any) => {
    let answer: Answer
    let thread = ""
    try {
      const body = baseOf("tool.call", given, text(given?.toolUseID), ++sequence, ctx)
      thread = text(body.session_id)
      const facts = await agentOf(thread, ctx)
      answer = await ask("tool.call", { ...body, ...facts, ...callOf(given) })
    } catch {
      answer = closed()
    }
    const reason = answer.reason || "DefenseClaw blocked this Amp tool call."
    if (answer.action === "alert") await notify(host, ctx, thread, reason)
    if (answer.action === "allow" || answer.action === "alert") return { action: "allow" }
    if (answer.action === "block") return { action: "reject-and-continue", message: reason }
    const title = `Allow ${text(given?.tool)}?`
    const why = await refusal(host, ctx, thread, reason, title, "Allow")
    return why ? { action: "reject-and-continue", message: why } : { action: "allow" }
  })

  host.on("tool.result", async (given: any, ctx: any) => {
    let answer: Answer
    let thread = ""
    try {
      const body = baseOf("tool.result", given, text(given?.toolUseID), ++sequence, ctx)
      thread = text(body.session_id)
      const facts = await agentOf(thread, ctx)
      const result = { tool_response: given?.output ?? null, status: text(given?.status) }
      const failed = given?.error === undefined ? {} : { error: given.error }
      answer = await ask("tool.result", { ...body, ...facts, ...callOf(given), ...result, ...failed })
    } catch {
      answer = closed()
    }
    const reason = answer.reason || "DefenseClaw withheld this result."
    if (answer.action === "alert") await notify(host, ctx, thread, reason)
    if (answer.action === "allow" || answer.action === "alert") return undefined
    const title = `Share ${text(given?.tool)} result with the model?`
    const why =
      answer.action === "block"
        ? reason
        : await refusal(host, ctx, thread, reason, title, "Share result")
    return why ? { status: "error", error: why, output: WITHHELD } : undefined
  })

  host.on("agent.end", async (given: any, ctx: any) => {
    const body = baseOf("agent.end", given, text(given?.id), ++sequence, ctx)
    const thread = text(body.session_id)
    const facts = await agentOf(thread, ctx)
    const messages: unknown[] = Array.isArray(given?.messages) ? given.messages : []
    const said = messages
      .filter((message: any) => message?.role === "assistant")
      .flatMap((message: any) => (Array.isArray(message.content) ? message.content : []))
      .filter((block: any) => block?.type === "text")
      .map((block: any) => text(block.text))
      .join("\n")
    const own = { turn_id: text(given?.id), message_id: text(given?.id), tool_name: "message" }
    const end = { tool_response: said, response: said, status: text(given?.status) }
    await tell("agent.end", { ...body, ...facts, ...own, ...end })
    turns.delete(thread)
    agents.delete(thread)
  })
}
