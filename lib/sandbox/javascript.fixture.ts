/** Test tools for foreign JavaScript: a workspace in memory, and what the system knows about processes. */
import fs from 'node:fs'
import path from 'node:path'
import type { JsonObject } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { FileAnswer, FilesPort, JavascriptAnswer, JavascriptPort } from '#lib/spec/sandbox'

export interface MemoryFiles extends FilesPort {
  readonly stored: Map<string, Uint8Array>
}

/** Refuses paths that lead outside, as a real workspace does. */
export function memoryFiles(given: Record<string, string | Uint8Array> = {}): MemoryFiles {
  const bytesOf = (content: string | Uint8Array) =>
    typeof content === 'string' ? Buffer.from(content) : content
  const stored = new Map(Object.entries(given).map(([name, content]) => [name, bytesOf(content)]))
  const refusal = (name: string): FileAnswer<never> | undefined => {
    if (!name.includes('\0') && path.posix.join('/w', name).startsWith('/w/') && !name.startsWith('/'))
      return undefined
    return { ok: false, code: 'outside', message: `"${name}" leads outside.` }
  }
  return {
    ...closedPorts.files,
    stored,
    async read(name) {
      const value = stored.get(name)
      if (value === undefined)
        return refusal(name) ?? { ok: false, code: 'not_found', message: `There is no file "${name}".` }
      return { ok: true, value }
    },
    async write(name, content) {
      const refused = refusal(name)
      if (refused !== undefined) return refused
      const created = !stored.has(name)
      const bytes = bytesOf(content)
      stored.set(name, bytes)
      return { ok: true, value: { created, bytes: bytes.length } }
    },
  }
}

export interface Told {
  readonly answer: JavascriptAnswer
  readonly log: string
  readonly files: MemoryFiles
}

export interface Given {
  readonly args?: JsonObject
  readonly run?: JsonObject
  readonly files?: MemoryFiles
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export async function runIn(port: JavascriptPort, source: string, given: Given = {}): Promise<Told> {
  const {
    args = {},
    run = {},
    files = memoryFiles(),
    timeoutMs = 20_000,
    signal = new AbortController().signal,
  } = given
  let log = ''
  const told = (text: string) => {
    log += text
  }
  const answer = await port.run({ source, args, run, files, timeoutMs, log: told }, signal)
  return { answer: withoutUsage(answer), log, files }
}

/** What code used differs from machine to machine; a test of its own looks at it. */
export function withoutUsage({ usage: _usage, ...answer }: JavascriptAnswer): JavascriptAnswer {
  return answer
}

/**
 * The descendants of this process that run the child program, including a sandbox around it; empty
 * on systems without /proc.
 */
export function childPids(): number[] {
  if (!fs.existsSync('/proc/self')) return []
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && runsChild(name) && isOurs(name))
    .map(Number)
}

function runsChild(pid: string): boolean {
  return textOf(`/proc/${pid}/cmdline`).includes('javascript-child')
}

/** Other tests may run their own children at the same time. */
function isOurs(pid: string): boolean {
  for (let at = pid; at !== '0' && at !== ''; at = parentOf(at)) if (at === String(process.pid)) return true
  return false
}

function parentOf(pid: string): string {
  return /^PPid:\s*(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? ''
}

export function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Waits until none of the processes exists any more. */
export async function untilGone(pids: () => readonly number[], withinMs = 5_000): Promise<readonly number[]> {
  const until = Date.now() + withinMs
  while (pids().length > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
  return pids()
}

/**
 * Records every child that lives for a while, so that a child is still known after it has lost its parent.
 */
export function watchChildren(): { living(): number[]; stop(): void } {
  const seen = new Set<number>()
  const look = () => {
    for (const pid of childPids()) seen.add(pid)
  }
  const timer = setInterval(look, 100)
  return {
    living: () => [...seen].filter((pid) => runsChild(String(pid))),
    stop: () => clearInterval(timer),
  }
}
