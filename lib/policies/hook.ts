/** The policy `hook`: asks a program of the user before or after a reply, a thought or a call. */
import { z } from 'zod'
import { type HookMoment, headerValue, hookMoment } from '#lib/spec/hook'
import { atMost } from '#lib/spec/json'
import type { Policy } from '#lib/spec/policy'
import { countOf } from './words'

const mostHeaders = 100

const settings = z.object({
  on: hookMoment.default('pre_acting').meta({
    title: 'When',
    description:
      'pre comes before, post after: reply is the whole run, reasoning one answer of the model, acting one call. print only shows each finished text, thought, call and result.',
  }),
  url: z
    .string()
    .max(2_048)
    .regex(/^https?:\/\/[^\s/?#]+[^\s]*$/, 'an http or https address')
    .meta({
      title: 'Address',
      description: 'Gets each question as JSON by POST. Private addresses need LOOPWRIGHT_ALLOW_HOSTS.',
      form: 'an http or https address',
    }),
  headers: atMost(
    z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, 'a header name'), headerValue),
    mostHeaders,
  )
    .default({})
    .meta({
      title: 'Headers',
      description: 'Sent along; a secret goes only to the origins it is meant for.',
    }),
  timeoutSeconds: z.number().min(0.1).max(10).default(5).meta({
    title: 'Time to answer',
    description: 'Without an answer by then, the program has failed.',
    unit: 's',
  }),
  onFailure: z.enum(['deny', 'continue']).default('deny').meta({
    title: 'When it fails',
    description:
      'deny: the call is denied, or the run ends as failed. continue: as if it had not answered. A failed print never stops a run.',
  }),
})

const words: Readonly<Record<HookMoment, string>> = {
  pre_reply: 'before the run',
  pre_reasoning: 'before each answer of the model',
  post_reasoning: 'after each answer of the model',
  pre_acting: 'before each call',
  post_acting: 'after each call',
  post_reply: 'before the run ends',
  print: 'about each finished block, which it cannot change',
}

const isActing = (on: HookMoment) => on === 'pre_acting' || on === 'post_acting'

export const hook: Policy<typeof settings> = {
  id: 'hook',
  label: 'Ask a program',
  help: 'Asks a program of yours before or after replies, thoughts and calls. It may continue, stop, change or add; docs/hooks.md describes its requests and answers. If there are several, they are asked in order.',
  keywords: ['hook', 'webhook', 'callback', 'http', 'url', 'external', 'script', 'moderation', 'guard'],
  icon: 'webhook',
  settings,
  // An address of this machine, which is refused until the operator allows it: a hook that nobody
  // has set up sends nothing.
  initial: { url: 'http://127.0.0.1:8080/hook' },
  scoped: true,
  says: ({ on, url, timeoutSeconds }) =>
    `${hostOf(url)} is asked ${words[on]}, within ${countOf(timeoutSeconds, 'second')}`,
  refuses: ({ on }, appliesTo) =>
    appliesTo === undefined || isActing(on)
      ? undefined
      : `A hook on ${on} applies to the whole run, not to single tools. Wire it to the agent, or choose pre_acting or post_acting`,
  hook: (given) => given,
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
