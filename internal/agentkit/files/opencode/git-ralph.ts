// git ralph answers the events of a session: `git ralph agent hook opencode EVENT` decides, this plug-in carries it out.
// Without the program it does nothing.
import { spawn } from "node:child_process"

const ask = (event: string, directory: string, input: object): Promise<any> =>
  new Promise((resolve) => {
    let out = ""
    const child = spawn("git-ralph", ["agent", "hook", "opencode", event], { cwd: directory, stdio: ["pipe", "pipe", "ignore"] })
    child.on("error", () => resolve({}))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (data) => (out += data))
    child.on("close", () => {
      try {
        resolve(JSON.parse(out || "{}"))
      } catch {
        resolve({})
      }
    })
    child.stdin.end(JSON.stringify({ directory, ...input }))
  })

export const GitRalph = async ({ client, directory }: any) => {
  const primers = new Map<string, string>()
  const children = new Set<string>()

  const lastMessage = async (id: string): Promise<string> => {
    const { data } = await client.session.messages({ path: { id } })
    const last = (data ?? []).filter((m: any) => m.info?.role === "assistant").at(-1)
    return (last?.parts ?? []).filter((p: any) => p.type === "text").map((p: any) => p.text).join("\n")
  }

  const idle = async (id: string) => {
    if (children.has(id)) return
    const verdict = await ask("session.idle", directory, { sessionID: id, message: await lastMessage(id).catch(() => "") })
    if (verdict.message) await client.app.log({ body: { service: "git-ralph", level: "info", message: verdict.message } }).catch(() => {})
    if (verdict.prompt) await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: verdict.prompt }] } })
  }

  return {
    event: async ({ event }: any) => {
      if (event.type === "session.created") {
        const info = event.properties.info
        if (info?.parentID) children.add(info.id)
        else primers.set(info.id, (await ask("session.created", directory, { sessionID: info.id })).context ?? "")
      }
      if (event.type === "session.idle") await idle(event.properties.sessionID)
    },
    "experimental.chat.system.transform": async (input: any, output: any) => {
      const primer = primers.get(input.sessionID)
      if (primer) output.system.push(primer)
    },
    "tool.execute.before": async (input: any, output: any) => {
      if (!["write", "edit", "apply_patch", "patch", "multiedit"].includes(input.tool)) return
      const verdict = await ask("tool.execute.before", directory, { sessionID: input.sessionID, args: output.args })
      if (verdict.deny) throw new Error(verdict.deny)
    },
    "shell.env": async (input: any, output: any) => {
      if (input.sessionID) output.env.GIT_RALPH_SESSION = input.sessionID
    },
  }
}
