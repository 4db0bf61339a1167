/** How much a unit test repeats: a quick number in `npm test`, its full number when LOOPWRIGHT_TEST_DEPTH is `deep`. */

/** Whether the full numbers are asked for. */
export const isDeep: boolean = process.env.LOOPWRIGHT_TEST_DEPTH === 'deep'

interface Counts {
  readonly quick: number
  readonly deep: number
}

/** The number of this run. A test that takes it carries `@deep` in its name, so that a deep run can select it. */
export function countFor({ quick, deep }: Counts): number {
  return isDeep ? deep : quick
}
