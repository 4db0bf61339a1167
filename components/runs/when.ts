/** Points in time as lists show them. */

/** `14:06` today, `3 Sep, 14:06` this year, `3 Sep 2025, 14:06` before; both in milliseconds since 1970. */
export function moment(at: number, now: number): string {
  const date = new Date(at)
  const today = new Date(now)
  const clock = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (date.toDateString() === today.toDateString()) return clock
  const isThisYear = date.getFullYear() === today.getFullYear()
  const day = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  })
  return `${day}, ${clock}`
}

/** The whole of it, for a tooltip. */
export function wholeMoment(at: number): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'medium' })
}
