/** Marks stored runs that are to stop. A disk that cannot be written must not keep a run from stopping. */
import { storeFault } from '#db/fault'
import type { Stores } from '#lib/spec/store'

/**
 * False when there is nothing to cancel.
 * @param unstored gets the id of a run whose mark could not be stored
 */
export function markCancelling({ runs }: Pick<Stores, 'runs'>, id: string, unstored: Set<string>): boolean {
  try {
    return runs.markCancelling(id)
  } catch (error) {
    if (storeFault(error) === undefined) throw error
    unstored.add(id)
    return true
  }
}

/** Without the mark, the next start treats the stop as a crash, which is less harmful than not stopping. */
export function markDrained({ runs }: Pick<Stores, 'runs'>, ids: readonly string[]): void {
  try {
    runs.markDrained(ids)
  } catch (error) {
    if (storeFault(error) === undefined) throw error
  }
}
