import { expect, test } from 'vitest'
import { dayChoices } from './day-spans'

test('today, yesterday and the last seven days, over the edge of a month', () => {
  expect(dayChoices(new Date(2026, 10, 1, 0, 5).getTime())).toEqual([
    { label: 'Today', since: '2026-11-01', until: '2026-11-01' },
    { label: 'Yesterday', since: '2026-10-31', until: '2026-10-31' },
    { label: 'Last 7 days', since: '2026-10-26', until: '2026-11-01' },
  ])
})
