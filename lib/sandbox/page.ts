/** Reads web pages in child processes with limited time and memory, one for each page. */

import { z } from 'zod'
import { tryParseJson } from '#lib/spec/json'
import type { WaitInLine } from '#lib/spec/turns'
import { answerOfChild } from './child-answer'
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
  const input = JSON.stringify(given)
  const said = await answerOfChild(
    { program: 'page-child', input, bounds, timeoutMs, maxOutputBytes },
    signal,
  )
  return said === undefined ? undefined : pageIn(said)
}

function pageIn(text: string): PageSource | undefined {
  return page.safeParse(tryParseJson(text)).data
}
