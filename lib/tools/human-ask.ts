/** The tool `human.ask`: asks the person a question and waits for the reply, for as long as that takes. */
import { z } from 'zod'
import type { InputReply } from '#lib/spec/input'
import { isParameters, type JsonObject, jsonObject } from '#lib/spec/json'
import { json, refuse, type ToolOutput, text, tool } from '#lib/spec/tool'

/** The id of its only question. */
const inputId = 'question'

export const humanAsk = tool({
  name: 'human.ask',
  label: 'Ask a person',
  group: 'People',
  keywords: ['human', 'question', 'input', 'form', 'choice', 'feedback', 'clarify', 'person', 'user'],
  description:
    'Asks the person you work for a question and returns the reply. Use it when you need something that only they know or decide. Give choices when there are a few likely answers, or a form when you need several values at once; otherwise they reply with text. Ask one thing at a time, never ask for a password or another secret, and go on without an answer if they decline.',
  icon: 'message-circle-question',
  risk: 'read',
  samples: ['Plan a birthday party.'],
  aliases: ['ask_human', 'human_input', 'ask_user', 'ask_followup_question', 'ask'],
  argumentAliases: { prompt: 'question', message: 'question', options: 'choices', schema: 'form' },
  input: z.object({
    question: z
      .string()
      .trim()
      .min(1)
      .max(4_000)
      .meta({ title: 'Question', description: 'What the person reads.', format: 'multiline' }),
    choices: z
      .array(z.string().trim().min(1).max(200))
      .min(2)
      .max(12)
      .optional()
      .meta({ title: 'Choices', description: 'Likely answers. The person may also write another one.' }),
    form: jsonObject.optional().meta({
      title: 'Form',
      description:
        'A JSON Schema of type "object" whose properties are the fields that the person fills in, with titles; instead of choices.',
    }),
  }),
  async run({ question, choices, form }, { answered }) {
    if (form !== undefined && !isParameters(form))
      return refuse('The form must be a JSON Schema of type "object" with properties.', 'args_schema')
    if (form !== undefined && choices !== undefined)
      return refuse('Give either choices or a form, not both.', 'args_schema')
    const reply = answered?.replies[inputId]
    if (reply !== undefined) return observationOf(reply)
    const more = { ...(choices && { choices }), ...(form && { schema: form }) }
    return { ok: 'asks', questions: [{ inputId, from: 'tool', question, ...more }] }
  },
})

function observationOf({ action, text: said = '', values }: InputReply): ToolOutput {
  if (action === 'answer') return values === undefined ? text(said) : json(values as JsonObject) // cast: zod reads a record of JSON values
  const how = action === 'decline' ? 'was declined' : 'was closed without an answer'
  const why = said.trim() === '' ? '' : `: ${said.trim()}`
  const end = /[.!?]$/.test(why) ? '' : '.'
  return text(`The question ${how}${why}${end} Go on without the answer, and do not ask the same again.`)
}
