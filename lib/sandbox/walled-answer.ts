/**
 * Asks a child program one question and takes its one answer, behind the wall of readers: it can open no file but its
 * own program and those it is given to read, and has limited memory and time.
 */
import type { WaitInLine } from '#lib/spec/turns'
import type { WallFacts } from '#lib/spec/walls'
import { answerOfChild, type ChildFault } from './child-answer'
import { readerWall } from './reader-wall'
import { TurnQueue, turnIn } from './turns'

/** A child program with its limits. */
interface WalledLimits {
  /** The child program: `chart-child`. */
  readonly program: string
  readonly heapMiB: number
  /** Memory outside of the heap, such as that of WebAssembly; 256 unless told. */
  readonly outsideMiB?: number
  readonly milliseconds: number
  readonly maxOutputBytes: number
  /** The most of its processes that run at the same time; two unless told. */
  readonly atOnce?: number
}

type Input = string | Uint8Array
/** Why there is nothing to ask. */
interface NoInput {
  readonly ok: false
  readonly message: string
}

export interface WalledQuestion<R extends NoInput = never> {
  /** Made once a process is free, so that nothing waits in memory. */
  input(): Promise<Input | R> | Input
  /** Folders that the program reads at work, absolute. */
  readonly readable?: readonly string[]
  /** Default: the program's own limit. */
  readonly timeoutMs?: number | undefined
  /** How the caller waits for a free process. */
  readonly inLine?: WaitInLine | undefined
}

export type WalledFault = ChildFault | 'busy'

export type WalledAnswer =
  | { readonly ok: true; readonly output: Buffer; readonly wall: WallFacts }
  | { readonly ok: false; readonly fault: WalledFault }

/** What ports call these faults; what is broken, each port calls as it sees fit. */
export const walledCodes = {
  timeout: 'timeout',
  memory: 'memory',
  aborted: 'aborted',
  busy: 'busy',
  unavailable: 'unavailable',
  output: 'too_large',
} as const satisfies Record<Exclude<WalledFault, 'broken'>, string>

export class WalledProgram {
  readonly #turns: TurnQueue

  constructor(private readonly limits: WalledLimits) {
    this.#turns = new TurnQueue(limits.atOnce ?? 2)
  }

  /** Asks one question in a process of its own. Never throws, except what `input` throws. */
  async ask<R extends NoInput = never>(
    question: WalledQuestion<R>,
    signal: AbortSignal,
  ): Promise<WalledAnswer | R> {
    const { program, heapMiB, outsideMiB = 256, milliseconds, maxOutputBytes } = this.limits
    const { inLine, readable = [], timeoutMs = milliseconds } = question
    const giveBack = await turnIn(this.#turns, signal, { ...(inLine && { inLine }) })
    if (typeof giveBack === 'string') return { ok: false, fault: giveBack }
    try {
      const input = await question.input()
      if (typeof input !== 'string' && 'ok' in input) return input
      const wall = await readerWall()
      if (wall === undefined) return { ok: false, fault: 'unavailable' }
      const bounds = {
        memoryMiB: heapMiB + outsideMiB,
        heapMiB,
        cpuSeconds: milliseconds / 1_000 + 5,
        fileMiB: 1,
        v8Flags: noMadeCode,
        ...wall.confine(program, readable),
      }
      const answer = await answerOfChild({ program, input, bounds, timeoutMs, maxOutputBytes }, signal)
      return answer.ok ? { ...answer, wall: wall.facts } : { ok: false, fault: answer.code }
    } finally {
      giveBack()
    }
  }
}

/** Nothing here needs code that is made while it runs, and no question shall ever become such code. */
const noMadeCode = ['--disallow-code-generation-from-strings']
