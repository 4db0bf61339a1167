/**
 * Reads server-sent events from bytes as they arrive, in one pass, with any cuts and line ends, and with
 * characters split between reads.
 */

export interface SseEvent {
  readonly id?: string | undefined
  /** The name of the event. */
  readonly event?: string | undefined
  readonly data: string
}

export class SseReader {
  readonly #decoder = new TextDecoder()
  readonly #maxEvent: number
  /** The line that has not ended yet. */
  #line = ''
  #id: string | undefined
  #event: string | undefined
  #data: string | undefined
  /** The last read ended with a CR, so an LF at the start of the next one belongs to it. */
  #afterCr = false

  /** True once an event has grown beyond the limit; nothing more should be read then. */
  isTooLarge = false

  /** @param maxEvent the most characters of one event */
  constructor(maxEvent: number) {
    this.#maxEvent = maxEvent
  }

  /** The events that these bytes complete. */
  push(bytes: Uint8Array): SseEvent[] {
    const events: SseEvent[] = []
    this.#read(this.#decoder.decode(bytes, { stream: true }), events)
    return events
  }

  /** Call this at the end of the bytes: the last event if it had no blank line after it. */
  end(): SseEvent | undefined {
    const events: SseEvent[] = []
    this.#read(`${this.#decoder.decode()}\n\n`, events)
    return events[0]
  }

  #read(read: string, events: SseEvent[]): void {
    const text = this.#withLineFeeds(read)
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      const piece = text.slice(from, end)
      const line = this.#line === '' ? piece : this.#line + piece
      this.#line = ''
      from = end + 1
      if (line === '') this.#dispatch(events)
      else this.#field(line)
    }
    if (from < text.length) this.#line += text.slice(from)
    if (this.#line.length + (this.#data?.length ?? 0) > this.#maxEvent) this.isTooLarge = true
  }

  #withLineFeeds(read: string): string {
    if (read === '') return ''
    const text = this.#afterCr && read.startsWith('\n') ? read.slice(1) : read
    this.#afterCr = text.endsWith('\r')
    return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    // Comments and `retry` belong to no event.
    if (field !== 'data' && field !== 'event' && field !== 'id') return
    const start = colon === -1 ? line.length : colon + (line.charCodeAt(colon + 1) === 32 ? 2 : 1)
    const value = line.slice(start)
    if (field === 'event') this.#event = value || undefined
    else if (field === 'id') this.#id = value.includes('\0') ? this.#id : value
    else this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    if (line.length > this.#maxEvent || (this.#data?.length ?? 0) > this.#maxEvent) this.isTooLarge = true
  }

  #dispatch(events: SseEvent[]): void {
    const data = this.#data
    if (data !== undefined) events.push({ id: this.#id, event: this.#event, data })
    this.#id = undefined
    this.#event = undefined
    this.#data = undefined
  }
}
