/** The tool `time.now`: returns the date, the time and the weekday in any time zone. */
import { z } from 'zod'
import { json, refuse, tool } from '#lib/spec/tool'

export const timeNow = tool({
  name: 'time.now',
  label: 'Time now',
  group: 'Math and time',
  keywords: ['clock', 'date', 'today', 'day', 'hour'],
  description: 'Gives the current date and time with its weekday, in UTC or in the time zone asked for.',
  icon: 'clock',
  risk: 'read',
  samples: ['What time is it in Tokyo?'],
  input: z.object({
    timezone: z
      .string()
      .max(64)
      .default('UTC')
      .meta({ title: 'Time zone', description: 'IANA name, as in "Europe/Berlin". UTC when left out.' }),
  }),
  async run({ timezone }, context) {
    const format = formatOf(timezone)
    if (format === undefined) {
      return refuse(
        `There is no time zone "${timezone}": use an IANA name such as "Europe/Berlin".`,
        'unknown_timezone',
      )
    }
    const read = new Map(format.formatToParts(context.now()).map((each) => [each.type, each.value]))
    const part = (type: Intl.DateTimeFormatPartTypes) => read.get(type) ?? ''
    const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
    const time = `${part('hour')}:${part('minute')}:${part('second')}`
    // Some versions of the zone data have no offset for UTC.
    const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
    return json({ now: `${date}T${time}${offset}`, weekday: part('weekday'), timezone })
  },
})

/** Undefined if the time zone does not exist. */
function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      weekday: 'long',
      timeZoneName: 'longOffset',
    })
  } catch {
    return undefined
  }
}
