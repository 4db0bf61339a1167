/**
 * The policy `taint`: once a run has content from outside, a person decides before calls that have an effect.
 */
import { z } from 'zod'
import { globMatcher, matchesAny } from '#lib/spec/glob'
import type { CallPast, Policy } from '#lib/spec/policy'
import { effect } from '#lib/spec/tool'

/**
 * The one source that is not a tool: files that a person put into the thread, with this
 * question or at any other time.
 */
const input = 'input'

const settings = z.object({
  sources: z
    .array(z.string().min(1).max(256))
    .min(1)
    .max(100)
    .default([
      'web.*',
      'research.*',
      'files.view',
      'files.search',
      'files.get',
      'mcp',
      'http',
      'openapi',
      input,
    ])
    .meta({
      title: 'Sources',
      description:
        'Patterns over tool names; the name of a toolkit means all its tools, and input means files that a person put into the thread at any time.',
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
  stages: ['taint'],
  says: ({ approve }) => `A person decides after content from outside, before: ${approve.join(', ')}`,
  rule({ sources, approve }, _stage, question) {
    if (question.moment === 'offer' || !approve.includes(question.tool.effect)) return undefined
    // This runs for every call. `matchesAny` caches its result for each name; the list is searched again
    // only for tools that match.
    const begun = question.past.begun.filter(
      (tool) => sources.includes(tool.source) || matchesAny(sources, tool.scopeName),
    )
    const used = sources.flatMap((source) => sourcesUsed(source, { ...question.past, begun }))
    if (used.length === 0) return undefined
    return {
      verdict: 'confirm',
      reason: `${listWords([...new Set(used)])} brought in content from outside, which may be what this call comes from`,
    }
  },
}

/**
 * What a source has brought in, named after its first tool, so that the name stays the
 * same when more comes in.
 */
function sourcesUsed(source: string, past: CallPast): string[] {
  // Any tool, JavaScript included, may have read such a file, in this run or in an earlier one.
  if (source === input && past.hasFiles) return ['files given with the question']
  if (source === input && past.hadFiles) return ['files given in this thread']
  if (past.begun.length === 0) return []
  const fits = globMatcher(source)
  const first = past.begun.find((tool) => tool.source === source || fits(tool.scopeName))
  return first === undefined ? [] : [first.scopeName]
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
