/** Plans something for a person: the demo asks them what it must know, with the tool that asks people. */
import { isObject, type JsonObject, tryParseJson } from '#lib/spec/json'
import type { WireTool } from '#lib/spec/model'
import { callOne, type Steps } from './steps'
import type { Done } from './trail'

const kinds = ['A dinner', 'A picnic', 'An evening of games']

/** Undefined if the question is no wish for a plan, or people cannot be asked. */
export function planWithPerson(question: string, tools: readonly WireTool[]): Steps | undefined {
  const ask = tools.find(
    ({ name, parameters: { properties } }) => /ask/i.test(name) && properties?.question && properties.form,
  )
  const [, what = ''] = /^\s*(?:please )?plan (?:a|an|the|my|our) ([^.!?]{3,60})/i.exec(question) ?? []
  return ask === undefined || what === '' ? undefined : planFor(what, ask.name)
}

const form: JsonObject = {
  type: 'object',
  properties: {
    date: { type: 'string', title: 'Date', format: 'date' },
    guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 200 },
    outdoors: { type: 'boolean', title: 'Outdoors', default: false },
  },
  required: ['date', 'guests'],
}

function* planFor(what: string, name: string): Steps {
  const asked = (reasoning: string, args: JsonObject) => callOne(reasoning, { name, args }, true)
  const kind = yield* asked('I need to know what they would like.', {
    question: `What should the ${what} be?`,
    choices: kinds,
  })
  const details = yield* asked('Now the day and the number of guests.', {
    question: `When is the ${what}, and how many guests do you expect?`,
    form,
  })
  const { date, guests, outdoors } = valuesIn(details)
  if (isRefused(kind) || date === undefined)
    return `I have no plan for the ${what}, since I do not know enough: ${(isRefused(kind) ? kind : details).text}`
  const where = outdoors === true ? 'outdoors' : 'indoors'
  return `The plan for the ${what}: ${kind.text.trim()} on ${String(date)}, ${where}, for ${String(guests)} guests.`
}

function valuesIn({ text }: Done): JsonObject {
  const read = tryParseJson(text)
  return isObject(read) ? read : {}
}

function isRefused({ text, isError }: Done): boolean {
  return isError || text.startsWith('The question was ')
}
