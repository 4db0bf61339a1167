/**
 * The policy `mask`: hides parts of an observation from everyone: the model, the trace, the
 * disk and files made from it.
 */
import { RE2JS } from 're2js'
import { z } from 'zod'
import type { Mask, Policy } from '#lib/spec/policy'
import { maskKind, privateKinds } from './private-data'
import { countOf } from './words'

const pattern = z
  .string()
  .min(1)
  .max(500)
  .superRefine((text, context) => {
    const problem = text === '' ? undefined : problemOf(text)
    if (problem !== undefined) context.addIssue(problem)
  })

const settings = z.object({
  what: z
    .array(z.enum(['email', 'phone', 'card']))
    .max(10)
    .default(['email', 'phone', 'card'])
    .meta({
      title: 'Hide',
      description:
        'email: addresses. phone: numbers written internationally or as people write them, and Chinese mobiles. card: payment cards, by their check digit.',
    }),
  patterns: z.array(pattern).max(20).default([]).meta({
    title: 'Also hide',
    description:
      'Regular expressions of your own (RE2: no look-around, no back-references); each match reads [masked].',
  }),
  on: z
    .array(z.enum(['observation']))
    .min(1)
    .max(10)
    .default(['observation'])
    .meta({ title: 'In', description: 'observation: what tools return.' }),
})

export const mask: Policy<typeof settings> = {
  id: 'mask',
  label: 'Hide private data',
  help: 'Hides private data in what tools return, before the model, the trace or the disk sees it. Files that a tool writes and the names of keys are not changed. If there are several, each hides in order.',
  keywords: [
    'mask',
    'redact',
    'privacy',
    'private',
    'personal',
    'pii',
    'anonymize',
    'gdpr',
    'email',
    'phone',
    'card',
    'secret',
  ],
  icon: 'eye-off',
  settings,
  scoped: true,
  inside: (settings) => settings,
  says({ what, patterns }) {
    const words = patterns.length === 0 ? what : [...what, countOf(patterns.length, 'pattern')]
    return words.length === 0 ? undefined : `Hidden in results: ${words.join(', ')}`
  },
  limitTool({ what, patterns }, limits) {
    limits.masks = [...(limits.masks ?? []), maskOf(what, patterns)]
  },
}

function maskOf(what: readonly string[], patterns: readonly string[]): Mask {
  const kinds = privateKinds.filter((kind) => what.includes(kind))
  const expressions = patterns.map((each) => RE2JS.compile(each))
  return {
    // The known kinds never span lines; a match of a pattern may.
    isByLine: patterns.length === 0,
    mask(text) {
      let masked = text
      for (const kind of kinds) masked = maskKind(kind, masked)
      for (const each of expressions) masked = maskMatches(each, masked)
      return masked
    },
  }
}

/** Skips empty matches, because they hide nothing. */
function maskMatches(expression: RE2JS, text: string): string {
  if (!expression.test(text)) return text
  const matcher = expression.matcher(text)
  let masked = ''
  let done = 0
  while (matcher.find()) {
    if (matcher.end() === matcher.start()) continue
    masked += `${text.slice(done, matcher.start())}[masked]`
    done = matcher.end()
  }
  return masked + text.slice(done)
}

/**
 * A text with edges of words and lines, where patterns that match only a position (such as `\b`) are found.
 */
const probe = 'a 1\n'

function problemOf(text: string): string | undefined {
  try {
    const expression = RE2JS.compile(text)
    for (const sample of ['', probe]) {
      const matcher = expression.matcher(sample)
      while (matcher.find())
        if (matcher.end() === matcher.start())
          return `This pattern matches empty text, so it cannot select what to hide: ${text}`
    }
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'unreadable'
    return `This is not a valid RE2 pattern: ${why}`
  }
}
