/** The transport to a server that is a program: one JSON message a line over its standard input and output. */
import type { ChildProcess } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isObject, tryParseJson } from '#lib/spec/json'
import { cleanJson, maxMessageBytes, tooLarge } from './limits'
import { LineReader, type LongLine } from './line-reader'
import { signalGroup } from './processes'

/** Milliseconds between the end of the input, SIGTERM and SIGKILL when a server is closed. */
const patienceMs = 1_000

/** Messages that are read in one go before other work of this process gets its turn. */
const messagesAtOnce = 200
const restMs = 10

/** Characters of what a server printed beside its messages that are kept for error messages. */
const maxPrinted = 4_000

export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** The package recognizes a program by `stderr` and `pid`. */
  readonly stderr = null
  readonly #child: ChildProcess
  readonly #reader: LineReader
  readonly #gone: Promise<void>
  #isClosed = false
  #printed = ''
  #ended: string | undefined
  #taken = 0

  constructor(child: ChildProcess) {
    this.#child = child
    this.#reader = new LineReader({
      maxBytes: maxMessageBytes,
      line: (text) => this.#read(text),
      long: (line) => this.#answerTooLong(line),
    })
    this.#gone = new Promise((resolve) => {
      child.once('error', (error) => {
        this.#ended ??= `It could not be started: ${error.message}.`
        resolve()
        this.#close()
      })
      child.once('exit', (code, signal) => {
        this.#ended ??= signal === null ? `It ended with exit code ${code}.` : `It was ended by ${signal}.`
        resolve()
        // What it has written before its end is still read. Its own children may keep the pipes open.
        setTimeout(() => this.#close(), 50)
      })
      child.once('close', () => this.#close())
    })
  }

  get pid(): number | null {
    return this.#child.pid ?? null
  }

  /** How the program ended and what it printed last, for a person; undefined while it runs. */
  get ending(): string | undefined {
    if (this.#ended === undefined) return undefined
    const printed = this.#printed.trim()
    return printed === '' ? this.#ended : `${this.#ended} It printed: ${printed}`
  }

  async start(): Promise<void> {
    const { stdin, stdout, stderr } = this.#child
    stdin?.on('error', (error) => this.onerror?.(error))
    stdout?.on('error', (error) => this.onerror?.(error))
    stderr?.on('error', (error) => this.onerror?.(error))
    stdout?.on('data', (chunk: Buffer) => this.#take(chunk))
    stderr?.on('data', (chunk: Buffer) => this.#print(chunk.toString('utf8')))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child
    if (this.#isClosed || stdin === null || !stdin.writable) throw new Error('The server is not running.')
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Ends the input, which is how a server is asked to end, then its whole process group. */
  async close(): Promise<void> {
    const { pid, stdin } = this.#child
    this.#close()
    stdin?.end()
    if (pid === undefined) return
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#isGoneWithin(patienceMs)) break
      if (!signalGroup(pid, signal)) this.#child.kill(signal)
    }
  }

  async #isGoneWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms)
    })
    const isGone = await Promise.race([this.#gone.then(() => true), late])
    clearTimeout(timer)
    return isGone
  }

  /** A server that floods its output is read in portions, so that it holds up nothing else. */
  #take(chunk: Buffer): void {
    this.#taken = 0
    this.#reader.push(chunk)
    if (this.#taken < messagesAtOnce) return
    this.#child.stdout?.pause()
    setTimeout(() => this.#child.stdout?.resume(), restMs)
  }

  #read(text: string): void {
    if (text.trim() === '') return
    this.#taken += 1
    const value = tryParseJson(text)
    // Many servers print banners and logs on their standard output.
    if (typeof value !== 'object' || value === null) {
      this.#print(`${text}\n`)
      return
    }
    if (cleanJson(value) === undefined) {
      const { id } = isObject(value) ? value : {}
      this.#answer(id, 'The server sent a message that is nested too deeply.')
      return
    }
    for (const each of Array.isArray(value) ? value : [value]) this.#hand(each)
  }

  #hand(message: unknown): void {
    try {
      this.onmessage?.(message as JSONRPCMessage) // cast: the package checks each message itself
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** A response that was too long is answered in its server's place, so that only its own call fails. */
  #answerTooLong({ head, tail }: LongLine): void {
    const isRequest = /^\s*\{[^{}]*"method"\s*:/.test(head)
    const found =
      /"id"\s*:\s*(\d+)\s*,\s*"(?:result|error)"/.exec(head) ?? /"id"\s*:\s*(\d+)\s*\}\s*$/.exec(tail)
    if (!isRequest && found !== null) this.#answer(Number(found[1]), tooLarge)
    else this.onerror?.(new Error(tooLarge))
  }

  #answer(id: unknown, message: string): void {
    if (typeof id === 'number') this.#hand({ jsonrpc: '2.0', id, error: { code: -32_603, message } })
    else this.onerror?.(new Error(message))
  }

  #print(text: string): void {
    this.#printed = `${this.#printed}${text}`.slice(-maxPrinted)
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }
}
