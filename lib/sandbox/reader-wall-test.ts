/** The test of a wall around readers: a program inside tries what the wall forbids, and a reader reads a document. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { tryParseJson } from '#lib/spec/json'
import type { WallTest } from '#lib/spec/walls'
import { answerOfChild } from './child-answer'
import { listenLocally } from './local-listener'
import type { ReaderPlace, ReaderWall } from './reader-walls'
import type { WallProbe } from './wall-probe'

const bounds = { memoryMiB: 512, heapMiB: 128, cpuSeconds: 20, fileMiB: 1 }
const timeoutMs = 20_000

/** bubblewrap has passed a test of its own before. Rejects when no file can be written for the test. */
export async function testReaderWall(
  wall: ReaderWall,
  { temporary }: Pick<ReaderPlace, 'temporary'>,
): Promise<WallTest> {
  const fault = wall.id === 'bubblewrap' ? undefined : await faultOf(wall, temporary)
  if (fault !== undefined) return fails(fault)
  const began = performance.now()
  const nonce = randomBytes(16).toString('hex')
  const read = await ask(wall, 'document-child', `{"type":"text"}\n${nonce}`)
  if (read?.includes(nonce) !== true) return fails('It does not read a document on this machine.')
  return { holds: true, startMs: Math.round(performance.now() - began) }
}

async function faultOf(wall: ReaderWall, temporary: string): Promise<string | undefined> {
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  const top = await mkdtemp(path.join(temporary, 'wall-'))
  const listener = await listenLocally()
  try {
    const canary = path.join(top, 'canary')
    await writeFile(canary, 'canary')
    // Node's permission model does not close the network.
    const probe: WallProbe = { canary, ...(wall.id !== 'node' && { port: listener.port }) }
    const said = await ask(wall, 'probe-child', JSON.stringify(probe))
    const leaks = z.array(z.string()).safeParse(tryParseJson(said ?? '')).data
    if (leaks === undefined) return 'Its process did not answer to the test.'
    return leaks.length === 0 ? undefined : `Its process is not confined: ${leaks.join(', ')}.`
  } finally {
    listener.close()
    await rm(top, { recursive: true, force: true })
  }
}

async function ask(wall: ReaderWall, program: string, input: string): Promise<string | undefined> {
  const confined = { ...bounds, ...wall.confine(program, []) }
  const request = { program, input, bounds: confined, timeoutMs, maxOutputBytes: 65_536 }
  const answer = await answerOfChild(request, new AbortController().signal)
  return answer.ok ? answer.output.toString('utf8') : undefined
}

function fails(reason: string): WallTest {
  return {
    holds: false,
    reason,
    remedies: ['Run `npm start` again, which repairs an incomplete installation.'],
  }
}
