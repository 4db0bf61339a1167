/** Reads web pages in child processes with limited time and memory, one for each page. */

import { z } from 'zod'
import { tryParseJson } from '#lib/spec/json'
import type { WaitInLine } from '#lib/spec/turns'
import { startChild } from './children'
import type { PageSource, ReadPage } from './page-wire'
import { TurnQueue, turnIn } from './turns'

const bounds = { memoryMiB: 512, heapMiB: 256, cpuSeconds: 15, fileMiB: 1 }
const longestMs = 15_000
const maxOutputBytes = 8 * 1024 * 1024
/** At most this many children at the same time. */
const turns = new TurnQueue(4)
const page = z.object({ title: z.string(), markdown: z.string() })

/** Undefined if the page cannot be read: too broken, too large, too slow, or stopped. Never throws. */
export async function readPage(
  { inLine, ...given }: ReadPage & { readonly inLine?: WaitInLine },
  signal: AbortSignal,
  timeoutMs: number = longestMs,
): Promise<PageSource | undefined> {
  const giveBack = await turnIn(turns, signal, { ...(inLine && { inLine }) })
  if (typeof giveBack === 'string') return undefined
  try {
    return await readNow(given, signal, timeoutMs)
  } catch {
    // The system has no pipes left to start a child with.
    return undefined
  } finally {
    giveBack()
  }
}

async function readNow(
  given: ReadPage,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<PageSource | undefined> {
  if (signal.aborted) return undefined
  const child = startChild('page-child', [], bounds)
  const parts: Buffer[] = []
  let bytes = 0
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(kill, timeoutMs)
  signal.addEventListener('abort', kill, { once: true })
  child.stdin.on('error', kill)
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > maxOutputBytes) kill()
    else parts.push(part)
  })
  const ended = new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
  child.stdin.end(JSON.stringify(given))
  try {
    return (await ended) ? pageIn(Buffer.concat(parts).toString('utf8')) : undefined
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
  }
}

function pageIn(text: string): PageSource | undefined {
  return page.safeParse(tryParseJson(text)).data
}
