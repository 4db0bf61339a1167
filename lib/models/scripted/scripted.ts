/**
 * The provider without a model: `demo` follows simple rules, `script` plays written turns. It
 * needs no key and no network.
 */
import { z } from 'zod'
import type { ModelChunk, ModelClient, ModelContext, Provider } from '#lib/spec/model'
import { demo } from '../demo/demo'
import { bodyEncoder, type Conversation, readBody } from './body'
import { completion, play, type ScriptedTurn, turn } from './turn'

const settings = z.object({
  name: z.enum(['demo', 'script']).default('demo').meta({
    title: 'Model',
    description: 'demo follows plain rules and is not AI; script plays the turns written below.',
    always: true,
  }),
  turns: z.array(turn).max(1_000).default([]).meta({
    title: 'Turns',
    description: 'For script: what the model says, one turn a step.',
  }),
  completions: z.array(completion).max(1_000).default([]).meta({
    title: 'Answers to tools',
    description:
      'For script: what the model answers when a tool asks it something. The first whose purpose and text fit is used.',
  }),
  stream: z
    .boolean()
    .default(true)
    .meta({ title: 'Stream', description: 'Sends words as they come instead of one whole answer.' }),
  paceMs: z.int().min(0).max(10_000).default(0).meta({
    title: 'Pace',
    description: 'Waits this long after each word, so that a person can follow. 0 is as fast as it goes.',
    unit: 'ms',
  }),
  timeoutSeconds: z.number().positive().max(86_400).default(300).meta({
    title: 'Time limit',
    description: 'For one answer, idle waits included.',
    unit: 's',
  }),
})
type Settings = z.output<typeof settings>

export const scripted: Provider<typeof settings> = {
  id: 'scripted',
  label: 'Scripted',
  help: 'No AI and no key: demo picks tools by plain rules, script plays turns you write. The tools they call are real.',
  settings,
  connect: connectScripted,
}

function connectScripted(settings: Settings, context: ModelContext): ModelClient {
  return {
    provider: 'scripted',
    name: settings.name,
    encode: bodyEncoder(settings.name),
    async *stream(body, signal) {
      try {
        yield* answer({ body, settings, context, signal })
      } catch (error) {
        // An error in a rule must look like a failure of the provider, not of the run.
        yield {
          type: 'fault',
          fault: { code: 'protocol', message: error instanceof Error ? error.message : String(error) },
        }
      }
    },
  }
}

interface Asked {
  readonly body: string
  readonly settings: Settings
  readonly context: ModelContext
  readonly signal: AbortSignal
}

async function* answer({ body, settings, context, signal }: Asked): AsyncGenerator<ModelChunk> {
  const conversation = readBody(body)
  if (conversation === undefined) {
    yield {
      type: 'fault',
      fault: { code: 'protocol', message: 'the body of the request is not one that this model encodes' },
    }
    return
  }
  yield* play({
    turn: nextTurn(settings, conversation),
    stream: settings.stream,
    paceMs: settings.paceMs,
    bodyChars: body.length,
    sleep: context.sleep,
    signal,
  })
}

function nextTurn({ name, turns, completions }: Settings, conversation: Conversation): ScriptedTurn {
  if (name === 'demo') return demo(conversation)
  if (conversation.purpose !== undefined) return completionFor(completions, conversation)
  const due = turns[conversation.step - 1]
  if (due?.onError !== undefined && hasJustFailed(conversation)) return { text: due.onError }
  if (due !== undefined) return due
  const count = turns.length === 1 ? '1 turn' : `${turns.length} turns`
  return { text: `The script is over: it has ${count}, and this is step ${conversation.step}.` }
}

/** Whether a call of the last answer has failed. */
function hasJustFailed({ messages }: Conversation): boolean {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(answered + 1).some((each) => each.role === 'tool' && each.isError)
}

function completionFor(
  completions: Settings['completions'],
  { purpose, messages }: Conversation,
): ScriptedTurn {
  const last = messages.at(-1)
  const asked = last?.role === 'user' ? last.text : ''
  const found = completions.find(
    (each) =>
      (each.purpose === undefined || each.purpose === purpose) &&
      (each.contains === undefined || asked.includes(each.contains)),
  )
  return found ?? { text: `The script has no answer for ${purpose}.` }
}
