/**
 * How often a unit test repeats: a small number in `npm test`, its full number if LOOPWRIGHT_TEST_DEPTH is
 * `deep`.
 */

/** Whether the full numbers are used. */
export const isDeep: boolean = process.env.LOOPWRIGHT_TEST_DEPTH === 'deep'

interface Counts {
  readonly quick: number
  readonly deep: number
}

/** The number for this run. A test that uses it has `@deep` in its name, so that a deep run can select it. */
export function countFor({ quick, deep }: Counts): number {
  return isDeep ? deep : quick
}

/** The details of a browser test that is too long for `npm test`: only a deep run has it. */
export const deepOnly = { tag: '@deep-only' }
