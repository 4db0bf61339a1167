/**
 * The JavaScript port: runs foreign code in QuickJS, in a new child process for each execution, inside the
 * system's sandbox if there is one.
 */
import type { JavascriptAnswer, JavascriptPort, JavascriptRequest } from '#lib/spec/sandbox'
import { childOrNone } from './children'
import { type EarlyEnding, endedEarly, fault, JavascriptProcess } from './javascript-process'
import { type OsSandbox, osSandbox } from './os-sandbox'
import { busyMessage, TurnQueue, turnIn } from './turns'

export interface Javascript extends JavascriptPort {
  /** Kills every child. The port can still be used afterwards. */
  close(): void
}

const maxChildren = 4
/**
 * A child is started in advance and kept this long for the next execution, because starting one takes
 * longer than most executions.
 */
const idleMs = 60_000
const notStarted = 'The process that runs JavaScript could not be started.'
/** A timer with a longer delay would fire at once. */
const longestTimerMs = 2_147_483_647

/**
 * Creates the port.
 * @param sandbox finds the system's sandbox; if there is none, only QuickJS and its own
 *   process confine the code
 * @param refusal why no code is run at all; undefined when it is
 */
export function createJavascript(
  sandbox: () => Promise<OsSandbox | undefined> = osSandbox,
  refusal: () => Promise<string | undefined> = async () => undefined,
): Javascript {
  const turns = new TurnQueue(maxChildren)
  const running = new Set<AbortController>()
  const spare = new Spare()
  let isClosed = false

  async function execute(request: JavascriptRequest, over: AbortController): Promise<JavascriptAnswer> {
    const { signal } = over
    const refused = await refusal()
    if (refused !== undefined) return fault('unavailable', refused)
    const box = await sandbox().catch(() => 'unknown' as const)
    if (box === 'unknown') return fault('unavailable', notStarted)
    const turn = await turnIn(turns, signal, request)
    if (turn === 'busy') return fault('busy', busyMessage())
    if (turn === 'aborted') return endedEarly(signal.reason, request.timeoutMs)
    const child = spare.take() ?? start(box)
    if (child === undefined) {
      turn()
      return fault('unavailable', notStarted)
    }
    // The time spent waiting for a free sandbox does not count as the code's own time.
    const late: EarlyEnding = 'timeout'
    const timer = setTimeout(() => over.abort(late), Math.min(request.timeoutMs, longestTimerMs))
    try {
      return await child.run(request, signal)
    } finally {
      clearTimeout(timer)
      turn()
      if (!isClosed) spare.put(() => start(box))
    }
  }

  return {
    async run(request, signal) {
      if (signal.aborted) return endedEarly('aborted', request.timeoutMs)
      isClosed = false
      const over = new AbortController()
      running.add(over)
      const ending: EarlyEnding = 'aborted'
      const onAbort = () => over.abort(ending)
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        return await execute(request, over)
      } finally {
        running.delete(over)
        signal.removeEventListener('abort', onAbort)
      }
    },
    close() {
      isClosed = true
      spare.kill()
      const ending: EarlyEnding = 'aborted'
      for (const over of running) over.abort(ending)
    },
  }
}

function start(sandbox: OsSandbox | undefined): JavascriptProcess | undefined {
  return childOrNone(() => new JavascriptProcess(sandbox))
}

/** One child that has run nothing yet, kept for a short time for the next execution. */
class Spare {
  private child: JavascriptProcess | undefined
  private timer: NodeJS.Timeout | undefined

  take(): JavascriptProcess | undefined {
    const { child } = this
    this.child = undefined
    clearTimeout(this.timer)
    return child?.isAlive ? child : undefined
  }

  put(make: () => JavascriptProcess | undefined): void {
    if (this.child?.isAlive) return
    clearTimeout(this.timer)
    this.child = make()
    this.child?.hold('unref')
    this.timer = setTimeout(() => this.kill(), idleMs)
    this.timer.unref()
  }

  kill(): void {
    this.take()?.kill()
  }
}
