/** The person at the terminal: asked line by line, or not at all where nobody can answer. */
import { createInterface, type Interface } from 'node:readline'
import type { Terminal } from './terminal'

export interface Person {
  /** Whether anybody can be asked. */
  readonly isThere: boolean
  /** Prints the text and reads one line; undefined once the input has ended or the run is stopped. */
  ask(text: string): Promise<string | undefined>
  /** Prints a text without asking. */
  tell(text: string): void
  close(): void
}

/** @param signal ends every wait for an answer */
export function personAt(
  terminal: Terminal,
  { isAsked, signal }: { readonly isAsked: boolean; readonly signal: AbortSignal },
): Person {
  // One reader for the whole run: a second one would miss the lines that the first has read ahead.
  let reader: Interface | undefined
  let lines: AsyncIterator<string> | undefined
  const isThere = isAsked && terminal.isInteractive
  return {
    isThere,
    async ask(text) {
      if (!isThere || signal.aborted) return undefined
      reader ??= createInterface({ input: terminal.input, signal })
      lines ??= reader[Symbol.asyncIterator]()
      terminal.err(text)
      const { value, done } = await lines.next()
      return done === true || signal.aborted ? undefined : value
    },
    tell: (text) => terminal.err(text),
    close: () => reader?.close(),
  }
}
