/** A response body that is made at its reader's pace, and given up when the reader takes nothing for too long. */

/** Bytes handed on at once: a reader on a slow line takes at least these in the time it has. */
const largestSlice = 64 * 1024

interface PatientStream {
  /** Called for one part at a time; it is left, its `finally` run, as soon as the stream ends for whatever reason. */
  readonly parts: AsyncGenerator<Uint8Array, void>
  /** Each ends the stream. */
  readonly signals: readonly AbortSignal[]
  /** How long the reader may take nothing, ms. */
  readonly patienceMs: number
  /** Called once, when the stream ends for whatever reason. */
  onEnd?(): void
}

/** Holds nothing but the part that is being sent. */
export function patientStream({
  parts,
  signals,
  patienceMs,
  onEnd,
}: PatientStream): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let rest: Uint8Array | undefined
  /** Bytes handed on since others last had their turn. */
  let sinceTurn = 0
  let over = false

  // Whatever comes first: the end, the reader's leave, its slowness, a signal, a fault.
  const end = () => {
    if (over) return
    over = true
    clearTimeout(timer)
    rest = undefined
    for (const signal of signals) signal.removeEventListener('abort', end)
    onEnd?.()
    // A generator that is left between two parts would hold on to what it has opened.
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
    // A connection that takes all at once would otherwise keep the turn until its buffers are full.
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
      // A body that nobody begins to read is given up as well.
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

/** Named so that it counts as an end of the connection, and not as a fault worth a line in the log. */
function readerGone(): DOMException {
  return new DOMException('the reader takes nothing', 'AbortError')
}
