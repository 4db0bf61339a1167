/** Spans of days by the person's calendar, as the filter of the runs holds them. Pure. */

export interface DaySpan {
  readonly label: string
  /** Both days are included. */
  readonly since: string
  readonly until: string
}

export function dayChoices(now: number): readonly DaySpan[] {
  const today = dayBefore(now, 0)
  const yesterday = dayBefore(now, 1)
  return [
    { label: 'Today', since: today, until: today },
    { label: 'Yesterday', since: yesterday, until: yesterday },
    { label: 'Last 7 days', since: dayBefore(now, 6), until: today },
  ]
}

/** Counted in days of the calendar, because a day may have 23 or 25 hours. */
function dayBefore(now: number, days: number): string {
  const at = new Date(now)
  const day = new Date(at.getFullYear(), at.getMonth(), at.getDate() - days)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
