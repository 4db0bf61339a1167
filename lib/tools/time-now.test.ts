import { describe, expect, it } from 'vitest'
import { timeNow } from './time-now'
import { context } from './tools.fixture'

async function told(timezone?: string): Promise<unknown> {
  const output = await timeNow.run(timezone === undefined ? {} : { timezone }, context())
  return output.ok === true && output.blocks[0]?.type === 'json' ? output.blocks[0].value : output
}

describe('time.now', () => {
  it('tells the time in UTC', async () => {
    expect(await told()).toEqual({ now: '2025-03-09T10:30:00+00:00', weekday: 'Sunday', timezone: 'UTC' })
  })

  it.each([
    ['Europe/Berlin', '2025-03-09T11:30:00+01:00', 'Sunday'],
    ['Asia/Kolkata', '2025-03-09T16:00:00+05:30', 'Sunday'],
    ['Pacific/Kiritimati', '2025-03-10T00:30:00+14:00', 'Monday'],
    ['America/St_Johns', '2025-03-09T08:00:00-02:30', 'Sunday'],
  ])('tells it in %s', async (timezone, now, weekday) => {
    expect(await told(timezone)).toEqual({ now, weekday, timezone })
  })

  it('refuses a zone there is not', async () => {
    expect(await told('Moon/Sea')).toMatchObject({ ok: false, code: 'unknown_timezone' })
  })
})
