/** A response body produced at its reader's pace, and ended if the reader takes nothing for too long. */

/** The most bytes sent at once. A reader on a slow line must take at least this many within the patience. */
const largestSlice = 64 * 1024

interface PatientStream {
  /**
   * Called for one part at a time; it is closed, so that its `finally` runs, as soon as the stream ends for
   * any reason.
   */
  readonly parts: AsyncGenerator<Uint8Array, void>
  /** Each of them ends the stream. */
  readonly signals: readonly AbortSignal[]
  /** How long the reader may take nothing, in ms. */
  readonly patienceMs: number
  /** Called once, when the stream ends for any reason. */
  onEnd?(): void
}

/** Holds only the part that is being sent. */
export function patientStream({
  parts,
  signals,
  patienceMs,
  onEnd,
}: PatientStream): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let rest: Uint8Array | undefined
  /** Bytes sent since other tasks last had a turn. */
  let sinceTurn = 0
  let over = false

  // Runs at whatever comes first: the end, a cancel by the reader, its slowness, a signal, a fault.
  const end = () => {
    if (over) return
    over = true
    clearTimeout(timer)
    rest = undefined
    for (const signal of signals) signal.removeEventListener('abort', end)
    onEnd?.()
    // A generator that is abandoned between two parts would keep its resources open.
    parts.return().catch(() => undefined)
  }
  for (const signal of signals) signal.addEventListener('abort', end, { once: true })
  if (signals.some((signal) => signal.aborted)) end()

  const next = async (): Promise<Uint8Array | undefined> => {
    if (rest === undefined || rest.length === 0) {
      const part = await parts.next()
      if (part.done || over) return undefined
      rest = part.value
    }
    // A connection that takes everything at once would otherwise block other tasks until its buffers are
    // full.
    if (sinceTurn >= largestSlice) {
      await new Promise((resolve) => setImmediate(resolve))
      sinceTurn = 0
      if (rest === undefined) return undefined
    }
    // A view, not a copy: readers share the bytes of an event.
    const slice = rest.subarray(0, largestSlice)
    rest = rest.subarray(largestSlice)
    sinceTurn += slice.length
    return slice
  }
  const waitFor = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (over) return
    timer = setTimeout(() => {
      end()
      controller.error(readerGone())
    }, patienceMs)
  }

  return new ReadableStream<Uint8Array>(
    {
      // A body that nobody begins to read also ends after the patience.
      start: waitFor,
      pull: async (controller) => {
        clearTimeout(timer)
        try {
          const slice = await next()
          if (slice === undefined) {
            end()
            controller.close()
            return
          }
          controller.enqueue(slice)
          waitFor(controller)
        } catch (error) {
          end()
          throw error
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

/** The name makes it count as an end of the connection, not as a fault to log. */
function readerGone(): DOMException {
  return new DOMException('the reader takes nothing', 'AbortError')
}
