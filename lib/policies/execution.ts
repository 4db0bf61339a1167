/** The policy `execution`: in which order, and when, the calls of one step run. */
import { z } from 'zod'
import { defaultLimits, type Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  strategy: z.enum(['sequential', 'parallel', 'auto']).default(defaultLimits.strategy).meta({
    title: 'Strategy',
    description:
      'One call after another, all calls of a step at once, or reads at once and everything else alone. The model always sees results in call order.',
  }),
  timing: z.enum(['after_stream', 'on_stream']).default(defaultLimits.timing).meta({
    title: 'Timing',
    description:
      'Calls begin once the answer is complete, or each as soon as it is complete, while the model still writes.',
  }),
  concurrency: z.int().min(1).max(64).default(defaultLimits.concurrency).meta({
    title: 'At once',
    description: 'The most calls that run at the same time, where they may.',
    unit: 'calls',
  }),
})

export const execution: Policy<typeof settings> = {
  id: 'execution',
  label: 'Order of calls',
  help: 'Runs the calls of a step one by one, in parallel, or only reads in parallel. If there are several, the last applies.',
  keywords: ['execution', 'parallel', 'sequential', 'concurrency', 'concurrent', 'async', 'order', 'speed'],
  icon: 'split',
  settings,
  scoped: false,
  lastWins: true,
  says({ strategy, timing, concurrency }) {
    const early = timing === 'on_stream' ? ', while the model still writes' : ''
    if (strategy === 'sequential' || concurrency === 1) return `Calls run one after another${early}`
    const what = strategy === 'auto' ? 'read' : 'call'
    const rest = strategy === 'auto' ? ', everything else alone' : ''
    return `Up to ${countOf(concurrency, what)} run at once${rest}${early}`
  },
  limit({ strategy, timing, concurrency }, limits) {
    limits.strategy = strategy
    limits.timing = timing
    limits.concurrency = concurrency
  },
}
