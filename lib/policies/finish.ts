/** What ends a run: words without a call, or a call of the finish tool. */
import { z } from 'zod'
import { defaultLimits, type Policy } from '#lib/spec/policy'

const settings = z.object({
  when: z.enum(['text', 'finish_tool', 'either']).default(defaultLimits.finish).meta({
    title: 'The run ends with',
    description:
      'Words without a call; only a call of the tool finish, so that words between calls end nothing; or either of them. The tool is offered by itself.',
  }),
})

export const finish: Policy<typeof settings> = {
  id: 'finish',
  label: 'Finish',
  help: 'Says what ends a run: an answer in words, or a call of the tool finish. Of several, the last decides.',
  icon: 'flag',
  settings,
  scoped: false,
  lastWins: true,
  says({ when }) {
    if (when === 'text') return undefined
    return when === 'finish_tool'
      ? 'Only a call of finish ends the run'
      : 'Words or a call of finish end the run'
  },
  limit({ when }, limits) {
    limits.finish = when
  },
}
