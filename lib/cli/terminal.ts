/** What a command may do to the outside: write, read standard input, and be interrupted. */
import process from 'node:process'
import type { Readable } from 'node:stream'

export interface Terminal {
  /** Standard output: the requested result and nothing else. */
  out(text: string): void
  /** Standard error: progress and errors. */
  err(text: string): void
  readonly input: Readable
  /** Whether a person reads the output and can answer. */
  readonly isInteractive: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that relative paths start from. */
  readonly folder: string
  /** Calls `stop` for every Ctrl-C or SIGTERM until released. */
  onInterrupt(stop: () => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

/** The terminal that this process was started from. */
export function processTerminal(): Terminal {
  // A reader that has closed the pipe (`| head`) wants no more output, so this is not an error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      throw error
    })
  }
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    input: process.stdin,
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    env: process.env,
    folder: process.cwd(),
    onInterrupt(stop) {
      const signals = ['SIGINT', 'SIGTERM'] as const
      for (const signal of signals) process.on(signal, stop)
      return () => {
        for (const signal of signals) process.off(signal, stop)
      }
    },
    exit: (code) => process.exit(code),
  }
}

/** Removes terminal control characters from a text, because it may come from a model or a database. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not pass
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}
