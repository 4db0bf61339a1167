/**
 * Reads one document in a child process with limited memory and time. The child gets the bytes of the file and
 * can open nothing but its own program.
 */
import type { DocumentFault, DocumentRefusal } from '#lib/spec/tables'
import type { WaitInLine } from '#lib/spec/turns'
import type { WallFacts } from '#lib/spec/walls'
import { type ChildExit, exitFault, exitOf, killGroup } from './child-end'
import { type Child, childOrNone, startChild } from './children'
import { readSaid } from './document-said'
import { type DocumentAsk, type DocumentSaid, documentLimits, mebibyte } from './document-wire'
import { Lines } from './lines'
import { readerWall } from './reader-wall'
import type { ReaderWall } from './reader-walls'
import { busyMessage, TurnQueue, turnIn } from './turns'

const program = 'document-child'
const { fileBytes, heapMiB, milliseconds } = documentLimits
/** The bytes of the file and what is unpacked of it are outside of the heap. */
const bounds = { memoryMiB: 2 * heapMiB, heapMiB, cpuSeconds: milliseconds / 1_000 + 5, fileMiB: 1 }
const maxLineBytes = 8 * mebibyte
/** At most this many children at the same time. */
const turns = new TurnQueue(2)

export interface DocumentRequest {
  readonly ask: DocumentAsk
  /** Read to its end, or until the answer is there; the caller closes it. */
  readonly content: AsyncIterable<Uint8Array>
  readonly timeoutMs?: number
  /** How the caller waits for a free process. */
  readonly inLine?: WaitInLine
}

type Ending = Extract<DocumentSaid, { type: 'done' | 'text' }> | DocumentRefusal
type Reading = Exclude<Ending, DocumentRefusal> & { readonly wall: WallFacts }
type Piece = Exclude<DocumentSaid, { type: 'done' | 'text' | 'failed' }>

/** Gives each piece of the document to `take`, one after the other. Never throws, except what `take` throws. */
export async function readDocument(
  request: DocumentRequest,
  take: (piece: Piece) => void | Promise<void>,
  signal: AbortSignal,
): Promise<Reading | DocumentRefusal> {
  const giveBack = await turnIn(turns, signal, { ...(request.inLine && { inLine: request.inLine }) })
  if (giveBack === 'busy') return refusal('busy', busyMessage())
  if (giveBack === 'aborted') return stopped
  try {
    const wall = await readerWall()
    if (signal.aborted) return stopped
    const child = wall && start(wall)
    if (wall === undefined || child === undefined) return unstarted
    const ending = await readWith(child, request, take, signal)
    return 'ok' in ending ? ending : { ...ending, wall: wall.facts }
  } finally {
    giveBack()
  }
}

function start(wall: ReaderWall): Child | undefined {
  return childOrNone(() => startChild(program, [], { ...bounds, ...wall.confine(program, []) }))
}

type Stop = 'timeout' | 'aborted' | 'too_large' | 'no_file'

async function readWith(
  child: Child,
  { ask, content, timeoutMs = milliseconds }: DocumentRequest,
  take: (piece: Piece) => void | Promise<void>,
  signal: AbortSignal,
): Promise<Ending> {
  let stop: Stop | undefined
  const end = (why?: Stop) => {
    stop ??= why
    killGroup(child)
  }
  const timer = setTimeout(() => end('timeout'), timeoutMs)
  const onAbort = () => end('aborted')
  signal.addEventListener('abort', onAbort, { once: true })
  const exit = exitOf(child)
  // Writing to a child that has already answered fails, which is no fault.
  child.stdin.on('error', () => {})
  try {
    void send(child, ask, content).then((why) => why && end(why))
    const ending = await hear(child, take)
    if (stop !== undefined) return stopRefusal(stop, timeoutMs)
    if (ending !== undefined) return ending
    killGroup(child)
    return exitRefusal(await exit)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    killGroup(child)
  }
}

/** Writes the request and the file, no faster than the child reads. Returns why the child must be stopped. */
async function send(
  child: Child,
  ask: DocumentAsk,
  content: AsyncIterable<Uint8Array>,
): Promise<Stop | undefined> {
  const { stdin } = child
  stdin.write(`${JSON.stringify(ask)}\n`)
  let bytes = 0
  try {
    for await (const chunk of content) {
      bytes += chunk.byteLength
      if (bytes > fileBytes) return 'too_large'
      if (stdin.destroyed) return undefined
      if (!stdin.write(chunk)) await drained(child)
    }
  } catch {
    return 'no_file'
  }
  stdin.end()
  return undefined
}

function drained({ stdin }: Child): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      stdin.off('drain', go)
      stdin.off('close', go)
      resolve()
    }
    stdin.on('drain', go)
    stdin.on('close', go)
  })
}

/** The end of the answer; undefined if the child ended without one. */
async function hear(child: Child, take: (piece: Piece) => void | Promise<void>): Promise<Ending | undefined> {
  const lines = new Lines(maxLineBytes)
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    for (const line of lines.add(chunk) ?? ['']) {
      const said = readSaid(line)
      if (said === undefined) return broken
      if (said.type === 'done' || said.type === 'text') return said
      if (said.type === 'failed') return refusal(said.code, said.message)
      await take(said)
    }
  }
  return undefined
}

export function refusal(code: DocumentFault, message: string): DocumentRefusal {
  return { ok: false, code, message }
}

const broken = refusal('damaged', 'The file broke the process that read it.')
const stopped = refusal('aborted', 'Reading the file was stopped.')
const unstarted = refusal('unavailable', 'The process that reads files could not be started.')
const slow = (timeoutMs: number) =>
  refusal('timeout', `The file took longer than ${timeoutMs / 1_000} seconds to read and was given up.`)

function stopRefusal(stop: Stop, timeoutMs: number): DocumentRefusal {
  switch (stop) {
    case 'aborted':
      return stopped
    case 'timeout':
      return slow(timeoutMs)
    case 'no_file':
      return refusal('unavailable', 'The file cannot be read from the disk just now.')
    case 'too_large':
      return refusal(
        'too_large',
        `The file is larger than ${fileBytes / mebibyte} MiB, the limit for reading its contents.`,
      )
    default:
      return stop satisfies never
  }
}

function exitRefusal(exit: ChildExit): DocumentRefusal {
  const fault = exitFault(exit)
  switch (fault) {
    case 'timeout':
      return slow(milliseconds)
    case 'memory':
      return refusal('memory', `The file needs more than ${heapMiB} MiB of memory to read and was given up.`)
    case 'broken':
      return unstarted
    default:
      return fault satisfies never
  }
}
