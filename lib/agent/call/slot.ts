/** Lets other runs use the slot of a run that only waits. */
import type { Engine } from '../engine'
import { after } from '../later'

/** A run inside that is between two steps seems to wait too, but goes on within this time. */
const passingMs = 100

/** Waits until `over`, which never rejects, and frees the run's slot once that takes longer than the gap between two steps. */
export async function waitWithoutSlot(
  { deps, signal }: Pick<Engine, 'deps' | 'signal'>,
  over: Promise<unknown>,
): Promise<void> {
  if (deps.aside !== undefined && !(await isSoon(over, deps.clock)))
    await deps.aside(async () => void (await over), signal)
  else await over
}

async function isSoon(over: Promise<unknown>, clock: Engine['deps']['clock']): Promise<boolean> {
  let stopTimer = () => {}
  const late = new Promise<boolean>((resolve) => {
    stopTimer = after(clock, passingMs, () => resolve(false))
  })
  try {
    return await Promise.race([over.then(() => true), late])
  } finally {
    stopTimer()
  }
}
