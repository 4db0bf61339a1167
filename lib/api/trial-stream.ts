/** Sends what happens while a tool is tried as server-sent events; when the reader leaves, the tool is stopped. */
import { encodeEvent, heartbeat } from '#lib/wire/sse'
import type { TryEvent } from '#lib/wire/trials'
import { patientStream } from './patient-stream'

/** A reader that takes nothing for this long has left, in ms. */
const patienceMs = 30_000
/** A sign of life, for the reader and whatever is between, in ms. */
const beatMs = 10_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** @param stop called when the reader leaves before the end */
export function streamTry(
  run: (tell: (event: TryEvent) => void) => Promise<void>,
  { signal, stop }: { signal: AbortSignal; stop(): void },
): Response {
  const body = patientStream({ parts: framesOf(run), signals: [signal], patienceMs, onEnd: stop })
  return new Response(body, { headers })
}

const encoder = new TextEncoder()

async function* framesOf(
  run: (tell: (event: TryEvent) => void) => Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  let told: TryEvent[] = []
  let wake = () => {}
  const state: { isOver: boolean; fault?: unknown } = { isOver: false }
  void run((event) => {
    told.push(event)
    wake()
  })
    .catch((fault: unknown) => {
      state.fault = fault
    })
    .finally(() => {
      state.isOver = true
      wake()
    })
  for (;;) {
    const [events] = [told]
    told = []
    for (const event of events) {
      yield encoder.encode(encodeEvent({ event: event.type, data: JSON.stringify(event) }))
    }
    if (told.length > 0) continue
    if (state.fault !== undefined) throw state.fault
    if (state.isOver) return
    const isBeat = await quiet((awake) => {
      wake = awake
    })
    if (isBeat) yield encoder.encode(heartbeat)
  }
}

/** Waits until something happens, or until it is time for a sign of life. */
function quiet(listen: (wake: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), beatMs)
    listen(() => {
      clearTimeout(timer)
      resolve(false)
    })
  })
}
