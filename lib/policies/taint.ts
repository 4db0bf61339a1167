/** Once content from outside has come into a run, a person decides before its calls have an effect. */
import { z } from 'zod'
import { globMatcher, matchesAny } from '#lib/spec/glob'
import type { CallPast, Policy } from '#lib/spec/policy'
import { effect } from '#lib/spec/tool'

/** The source that is no tool: files that a person put into the thread, with this question or at any other time. */
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
        'Patterns over tool names; a toolkit such as mcp stands for all its tools, input for files that a person put into the thread: with this question, with an earlier one, or apart from any.',
      // No `globs`: a source may name a toolkit, which is no name of a tool.
      patterns: true,
    }),
  approve: z.array(effect).min(1).max(10).default(['effect']).meta({
    title: 'Then ask before',
    description:
      'What a later call does: read changes nothing, idempotent may run twice, effect does something that can not be taken back.',
  }),
})

export const taint: Policy<typeof settings> = {
  id: 'taint',
  label: 'Taint',
  help: 'After a source of content from outside has been used in the thread, by this run or one before it, asks a person before calls that do something: what was read may hold instructions of others. A further source asks anew, also where a yes was given for the whole run.',
  icon: 'shield-question-mark',
  settings,
  scoped: true,
  stages: ['taint'],
  says: ({ approve }) => `After content from outside a person decides before: ${approve.join(', ')}`,
  rule({ sources, approve }, _stage, question) {
    if (question.moment === 'offer' || !approve.includes(question.tool.effect)) return undefined
    // Asked at every call: a long list answers for each name once, and is gone through only for what it names.
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

/** What has come in by a source, named by its first tool: it stays the same however much more comes by it. */
function sourcesUsed(source: string, past: CallPast): string[] {
  // Any tool may have read such a file, JavaScript included, in this run or in one before it.
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
