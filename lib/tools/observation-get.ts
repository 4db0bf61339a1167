/** The tool `observation.get`: reads a result of the run again that was taken out of the dialogue to save space. */
import { z } from 'zod'
import { getBackName, refuse, text, tool } from '#lib/spec/tool'

export const observationGet = tool({
  name: getBackName,
  label: 'Read a result again',
  keywords: ['result', 'observation', 'context'],
  description:
    'Reads again the result of an earlier call of this run, which was taken out of the dialogue to save space. Returns the characters from `from` on, at most `length`.',
  icon: 'history',
  risk: 'read',
  input: z.object({
    call: z.string().max(200).meta({ description: 'The id of the call: call_3_1.' }),
    from: z
      .int()
      .min(0)
      .max(1_000_000_000)
      .default(0)
      .meta({ description: 'The first character, counted from 0.' }),
    length: z.int().min(1).max(8_000).default(4_000).meta({ description: 'The most characters to return.' }),
  }),
  async run({ call, from, length }, { resultOf }) {
    const whole = resultOf?.(call)?.text
    if (whole === undefined) return refuse(`There is no finished call "${call}" in this run.`, 'not_found')
    if (from > 0 && from >= whole.length)
      return refuse(`The result of ${call} has only ${whole.length} characters.`, 'out_of_range')
    const to = Math.min(whole.length, from + length)
    const rest = to < whole.length ? `\n[Characters ${from} to ${to} of ${whole.length}.]` : ''
    return text(whole.slice(from, to) + rest)
  },
})
