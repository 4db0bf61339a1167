/** Reads web pages in child processes behind a wall, one for each page. */
import { z } from 'zod'
import { tryParseJson } from '#lib/spec/json'
import type { WaitInLine } from '#lib/spec/turns'
import type { WallFacts } from '#lib/spec/walls'
import type { PageSource, ReadPage } from './page-wire'
import { WalledProgram } from './walled-answer'

const program = new WalledProgram({
  program: 'page-child',
  heapMiB: 256,
  milliseconds: 15_000,
  maxOutputBytes: 8 * 1024 * 1024,
  atOnce: 4,
})
const page = z.object({ title: z.string(), markdown: z.string() })

/** Undefined if the page cannot be read: too broken, too large, too slow, or stopped. Never throws. */
export async function readPage(
  { inLine, ...given }: ReadPage & { readonly inLine?: WaitInLine },
  signal: AbortSignal,
  timeoutMs?: number,
): Promise<(PageSource & { readonly wall: WallFacts }) | undefined> {
  const answer = await program.ask({ input: () => JSON.stringify(given), timeoutMs, inLine }, signal)
  if (!answer.ok) return undefined
  const read = page.safeParse(tryParseJson(answer.output.toString('utf8'))).data
  return read && { ...read, wall: answer.wall }
}
