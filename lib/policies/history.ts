/** The policy `history`: how much of the thread's earlier dialogue is sent to the model. */
import { z } from 'zod'
import { defaultLimits, type Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  maxMessages: z.int().min(1).max(10_000).default(defaultLimits.history.maxMessages).meta({
    title: 'Most messages',
    description:
      'The newest that go along with a question, which counts as one. The run’s own are never cut.',
    unit: 'messages',
  }),
  maxTokens: z.int().min(1).max(10_000_000).default(defaultLimits.history.maxTokens).meta({
    title: 'Most tokens',
    description: 'By the length of their texts; the budget is applied before the number of messages.',
    unit: 'tokens',
  }),
  clearToolTurns: z.boolean().default(defaultLimits.history.clearToolTurns).meta({
    title: 'Leave out old calls',
    description: 'Of earlier runs only questions and answers go along, without calls and observations.',
  }),
})

export const history: Policy<typeof settings> = {
  id: 'history',
  label: 'History',
  help: 'Limits how much of the thread the model is told. Of several, the smallest decides.',
  icon: 'history',
  settings,
  scoped: false,
  unsaid: true,
  says({ maxMessages, maxTokens, clearToolTurns }) {
    const most = `Of the thread at most ${countOf(maxMessages, 'message')} and ${countOf(maxTokens, 'token')} go along`
    return clearToolTurns ? `${most}, without old calls` : most
  },
  limit({ maxMessages, maxTokens, clearToolTurns }, limits) {
    const { history: before } = limits
    limits.history = {
      maxMessages: Math.min(before.maxMessages, maxMessages),
      maxTokens: Math.min(before.maxTokens, maxTokens),
      clearToolTurns: before.clearToolTurns || clearToolTurns,
    }
  },
}
