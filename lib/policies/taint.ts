/**
 * The policy `taint`: once a run has content from outside, a person decides before calls that have an effect.
 */
import { z } from 'zod'
import { outsideOf, usualSources } from '#lib/spec/outside'
import type { Policy } from '#lib/spec/policy'
import { memoryRecordName } from '#lib/spec/recall'
import { type Effect, effect } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'

const settings = z.object({
  sources: z
    .array(z.string().min(1).max(256))
    .min(1)
    .max(100)
    .default([...usualSources])
    .meta({
      title: 'Sources',
      description:
        'Patterns over tool names; the name of a toolkit means all its tools, and input means files that a person put into the thread at any time. What the agent remembers and finds in its knowledge always counts.',
      // Not `globs`: a source may name a toolkit, which is not the name of a tool.
      patterns: true,
    }),
  approve: z.array(effect).min(1).max(10).default(['effect']).meta({
    title: 'Then ask before',
    description:
      'What a later call does: read changes nothing, idempotent may run twice, effect does something that cannot be undone.',
  }),
})

export const taint: Policy<typeof settings> = {
  id: 'taint',
  label: 'Untrusted content',
  help: 'Asks a person before actions that may follow from content from outside, such as a web page or a file. It applies to the rest of the thread, later runs included; each new source asks again, even after an approval for the whole run.',
  keywords: [
    'taint',
    'injection',
    'untrusted',
    'external',
    'outside',
    'prompt',
    'security',
    'guard',
    'web',
    'safe',
    'ask',
  ],
  icon: 'shield-question-mark',
  settings,
  scoped: true,
  inside: (settings) => settings,
  stages: ['taint'],
  says: ({ approve }) => `A person decides after content from outside, before: ${approve.join(', ')}`,
  rule({ sources, approve }, _stage, question) {
    if (question.moment === 'offer' || !approve.includes(effectOf(question.tool))) return undefined
    const used = outsideOf(sources, question.past)
    if (used.length === 0) return undefined
    return {
      verdict: 'confirm',
      reason: `${listWords(used)} brought in content from outside, which may be what this call comes from`,
    }
  },
}

/** What is remembered reaches later runs, so it counts as an effect, although it may be recorded twice without harm. */
function effectOf({ scopeName, effect }: Pick<BoundTool, 'scopeName' | 'effect'>): Effect {
  return scopeName === memoryRecordName ? 'effect' : effect
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
