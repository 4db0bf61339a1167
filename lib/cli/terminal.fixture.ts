/** A terminal for tests: it keeps what is printed, has no variables, and can be interrupted. */
import { Readable } from 'node:stream'
import type { Terminal } from './terminal'

export interface TestTerminal extends Terminal {
  /** Standard output so far. */
  readonly printed: string
  /** Standard error so far. */
  readonly said: string
  readonly exits: readonly number[]
  interrupt(): void
  /** Called with each text after it was written. */
  onText?: (text: string) => void
}

export function testTerminal(
  given: { folder?: string; input?: string; env?: Terminal['env']; isInteractive?: boolean } = {},
): TestTerminal {
  let printed = ''
  let said = ''
  const exits: number[] = []
  const stops = new Set<() => void>()
  const terminal: TestTerminal = {
    get printed() {
      return printed
    },
    get said() {
      return said
    },
    exits,
    interrupt() {
      for (const stop of stops) stop()
    },
    out(text) {
      printed += text
      terminal.onText?.(text)
    },
    err(text) {
      said += text
      terminal.onText?.(text)
    },
    input: Readable.from([Buffer.from(given.input ?? '')]),
    isInteractive: given.isInteractive ?? false,
    env: given.env ?? {},
    folder: given.folder ?? process.cwd(),
    onInterrupt(stop) {
      stops.add(stop)
      return () => void stops.delete(stop)
    },
    exit: (code) => void exits.push(code),
  }
  return terminal
}
