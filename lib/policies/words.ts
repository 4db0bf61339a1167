/** How policies write numbers. */

/** `1 step`, `1,200 steps`. */
export function countOf(count: number, one: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`
}
