/**
 * The file requests of one execution: handled one after another in their order, with limits
 * on their number and size.
 */
import type { FileAnswer, ScriptFiles } from '#lib/spec/sandbox'
import type { FileSaid, FromChild } from './javascript-wire'

type Asked = Extract<FromChild, { type: 'read' | 'write' }>

const mostRequests = 1_000
const mostWrittenBytes = 64 * 1024 * 1024
const mostWaiting = 8

export class JavascriptFiles {
  private readonly paths = new Set<string>()
  private last: Promise<unknown> = Promise.resolve()
  private waiting = 0
  private requests = 0
  private bytes = 0
  private isClosed = false

  constructor(private readonly port: ScriptFiles) {}

  /** Each path once, in the order of the first write. */
  get written(): readonly string[] {
    return [...this.paths]
  }

  /** Whether so many requests are waiting that no more should be read. */
  get isFull(): boolean {
    return this.waiting >= mostWaiting
  }

  /**
   * Whether the guest keeps sending requests although they are refused. Reading them would then
   * cost more than it is worth.
   */
  get isFlood(): boolean {
    return !this.isClosed && (this.requests > 2 * mostRequests || this.bytes > 2 * mostWrittenBytes)
  }

  /**
   * Answers with the text or the reason of the failure; never throws.
   * @param deliver sends the answer to its receiver; the next request waits until it has been delivered
   */
  ask(asked: Asked, deliver?: (answer: FileSaid) => Promise<void>): Promise<FileSaid> {
    this.waiting += 1
    const answer = this.last.then(() => this.answer(asked))
    this.last = answer.then(async (given) => {
      await deliver?.(given)
      this.waiting -= 1
    })
    return answer
  }

  /** Waits for all requests; after `close`, only for the one that has already started. */
  async settled(): Promise<void> {
    await this.last
  }

  /** Refuses every request from now on. */
  close(): void {
    this.isClosed = true
  }

  private async answer(asked: Asked): Promise<FileSaid> {
    const { type, id, path } = asked
    let answer: FileAnswer<string>
    try {
      answer =
        this.refusal(asked) ?? (type === 'read' ? await this.read(path) : await this.write(path, asked.text))
    } catch {
      answer = no('the file cannot be reached')
    }
    if (answer.ok) return { type: 'file', id, ok: true, text: answer.value }
    return { type: 'file', id, ok: false, text: `files.${type}: ${answer.message}` }
  }

  private refusal(asked: Asked): FileAnswer<never> | undefined {
    this.requests += 1
    if (this.isClosed || this.requests > mostRequests)
      return no(`one execution may make at most ${mostRequests} requests for files`)
    if (asked.type === 'read') return undefined
    this.bytes += Buffer.byteLength(asked.text)
    return this.bytes > mostWrittenBytes ? no('one execution may write at most 64 MiB') : undefined
  }

  private async read(path: string): Promise<FileAnswer<string>> {
    const answer = await this.port.read(path)
    if (!answer.ok) return answer
    try {
      return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(answer.value) }
    } catch {
      return { ok: false, code: 'not_text', message: `"${path}" is not a text file.` }
    }
  }

  private async write(path: string, text: string): Promise<FileAnswer<string>> {
    const answer = await (this.port.write?.(path, text) ?? readOnly)
    if (!answer.ok) return answer
    this.paths.add(path)
    return { ok: true, value: '' }
  }
}

/** The guest is not trusted to follow the rule, so a write request is also refused here. */
const readOnly = no(
  'this tool may only read files, since its entry in the agent sets its risk or effect to “read”; nothing was written',
)

function no(message: string): FileAnswer<never> {
  return { ok: false, code: 'unavailable', message }
}
