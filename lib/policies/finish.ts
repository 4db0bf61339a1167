/**
 * The policy `finish`: whether text or a call of the finish tool ends a run, and whether an answer that
 * was cut off is continued.
 */
import { z } from 'zod'
import { defaultLimits, type Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  when: z.enum(['text', 'finish_tool', 'either']).default(defaultLimits.finish).meta({
    title: 'The run ends with',
    description:
      'Words without a call; only a call of the tool finish, so that words between calls do not end the run; or either. The tool is offered automatically.',
  }),
  continues: z.int().min(0).max(25).default(defaultLimits.continues).meta({
    title: 'Continue when cut off',
    description:
      'How often in a row the model is asked to continue an answer that was cut off because its tokens were used up. The parts become one answer; each takes a step. At 0 the answer is shown as it is, and marked. Words that do not end the run are not continued.',
    unit: 'continuations',
  }),
})

const ends = {
  finish_tool: 'Only a call of finish ends the run',
  either: 'Words or a call of finish end the run',
} as const

export const finish: Policy<typeof settings> = {
  id: 'finish',
  label: 'When to finish',
  help: 'Sets what ends a run: an answer in words, or a call of the tool finish. If there are several, the last applies.',
  keywords: ['finish', 'end', 'stop', 'done', 'complete', 'continue', 'answer'],
  icon: 'flag',
  settings,
  scoped: false,
  lastWins: true,
  says({ when, continues }) {
    const goesOn =
      continues === 0 ? undefined : `Continues a cut-off answer up to ${countOf(continues, 'time')}`
    if (when === 'text') return goesOn
    // With `finish_tool`, text does not end the run, so there is no answer to continue.
    return goesOn === undefined || when === 'finish_tool' ? ends[when] : `${ends[when]}. ${goesOn}`
  },
  limit({ when, continues }, limits) {
    limits.finish = when
    limits.continues = continues
  },
}
