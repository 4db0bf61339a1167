/** A bounded number of turns: who comes when all are taken waits in line, or leaves it when aborted. */
export class Turns {
  private taken = 0
  private readonly line = new Set<() => void>()

  constructor(private readonly most: number) {}

  /** Resolves with the way to give the turn back (once), or undefined when aborted first. */
  async take(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined
    if (this.taken >= this.most) {
      const got = await this.wait(signal)
      if (!got) return undefined
    } else this.taken += 1
    return () => this.giveBack()
  }

  private wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (got: boolean) => {
        this.line.delete(enter)
        signal.removeEventListener('abort', onAbort)
        resolve(got)
      }
      const enter = () => leave(true)
      const onAbort = () => leave(false)
      this.line.add(enter)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** The turn goes to the first in line, so that `taken` stays as it is. */
  private giveBack(): void {
    const [first] = this.line
    if (first === undefined) this.taken -= 1
    else first()
  }
}
