/** The policy `history`: how much of the thread's earlier dialogue is sent to the model. */
import { z } from 'zod'
import { defaultLimits, type Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  maxMessages: z.int().min(1).max(10_000).default(defaultLimits.history.maxMessages).meta({
    title: 'Most messages',
    description:
      'The newest messages sent with a question, which counts as one. Messages of the run itself are never cut.',
    unit: 'messages',
  }),
  maxTokens: z.int().min(1).max(10_000_000).default(defaultLimits.history.maxTokens).meta({
    title: 'Most tokens',
    description: 'Estimated from the length of the texts. It is applied before the number of messages.',
    unit: 'tokens',
  }),
  clearToolTurns: z.boolean().default(defaultLimits.history.clearToolTurns).meta({
    title: 'Leave out old calls',
    description: 'Sends only the questions and answers of earlier runs, without their calls and results.',
  }),
})

export const history: Policy<typeof settings> = {
  id: 'history',
  label: 'How much history',
  help: 'Limits how much of the thread is sent to the model. If there are several, the lowest applies.',
  keywords: [
    'history',
    'memory',
    'context',
    'window',
    'messages',
    'thread',
    'conversation',
    'remember',
    'tokens',
    'limit',
  ],
  icon: 'history',
  settings,
  scoped: false,
  unsaid: true,
  says({ maxMessages, maxTokens, clearToolTurns }) {
    const most = `Sends at most ${countOf(maxMessages, 'message')} or ${countOf(maxTokens, 'token')} of the thread`
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
