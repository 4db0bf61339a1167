import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after'

const now = Date.parse('2026-11-21T10:00:00Z')

test.each([
  [{}, undefined],
  [{ 'retry-after': '2' }, 2_000],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': '3s' }, 3_000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '3600' }, 3_600_000],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'NaN' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT' }, 7_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 09:59:00 GMT' }, undefined],
  [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT', date: 'Sat, 21 Nov 2026 10:00:02 GMT' }, 5_000],
  // Our clock is an hour behind the provider's, or ahead of it.
  [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:07 GMT', date: 'Sat, 21 Nov 2026 11:00:00 GMT' }, 7_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:07 GMT', date: 'Sat, 21 Nov 2026 09:00:00 GMT' }, 7_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT', date: 'yesterday' }, 7_000],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after-ms': '-1', 'retry-after': '9' }, 9_000],
  [{ 'retry-after-ms': 'NaN' }, undefined],
])('L1: a wait is read from %j', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), now)).toBe(expected)
})
