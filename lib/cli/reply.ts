/** Puts the questions of calls to the person at the terminal; where nobody is there, each is declined. */
import { faultOfReply } from '#lib/agent/call/question-rules'
import type { InputQuestion, InputReply } from '#lib/spec/input'
import { isObject, type JsonObject, type JsonValue, tryParseJson } from '#lib/spec/json'
import { visible } from '#lib/spec/visible'
import type { Person } from './person'

const nobody: InputReply = {
  action: 'decline',
  text: 'Nobody can be asked here, since there is no terminal.',
}
const declined: InputReply = { action: 'decline' }
const declineWord = '/decline'

/** Asks until the reply fits the question, or the person declines. */
export async function replyTo(question: InputQuestion, person: Person): Promise<InputReply> {
  if (!person.isThere) return nobody
  person.tell(`\n${headOf(question)}\n`)
  for (;;) {
    const reply = await readReply(question, person)
    if (reply === undefined) return nobody
    const fault = faultOfReply(question, reply)
    if (fault === undefined) return reply
    person.tell(`${fault.message}\n`)
    for (const { path, message } of fault.fields?.slice(1) ?? []) person.tell(`  ${path}: ${message}\n`)
  }
}

function headOf({ question, server, url }: InputQuestion): string {
  const who = server === undefined ? '' : `${visible(server)} asks: `
  const where = url === undefined ? '' : `\nIt asks you to open this address: ${visible(url)}`
  return `${who}${visible(question)}${where}`
}

/** Undefined when the input has ended. */
function readReply(question: InputQuestion, person: Person): Promise<InputReply | undefined> {
  if (question.schema !== undefined) return readForm(question.schema, person)
  if (question.url !== undefined) return readVisit(person)
  return readText(question.choices ?? [], person)
}

async function readVisit(person: Person): Promise<InputReply | undefined> {
  const line = await person.ask(`Press Enter when you have finished there, or type ${declineWord}: `)
  if (line === undefined) return undefined
  return line.trim() === declineWord ? declined : { action: 'answer' }
}

async function readText(choices: readonly string[], person: Person): Promise<InputReply | undefined> {
  choices.forEach((each, index) => {
    person.tell(`  ${index + 1}) ${visible(each)}\n`)
  })
  const how = choices.length === 0 ? 'Your answer' : 'A number, or another answer'
  const line = (await person.ask(`${how} (${declineWord} declines): `))?.trim()
  if (line === undefined) return undefined
  if (line === declineWord) return declined
  return { action: 'answer', text: (isWhole(line) ? choices[Number(line) - 1] : undefined) ?? line }
}

/** Asks for one field after the other. */
async function readForm(schema: JsonObject, person: Person): Promise<InputReply | undefined> {
  const fields = isObject(schema.properties) ? Object.entries(schema.properties) : []
  if (fields.length === 0) return readJson(person)
  const required = Array.isArray(schema.required) ? schema.required : []
  person.tell(`Type ${declineWord} to decline. An empty line leaves a field out, or takes its default.\n`)
  const values: JsonObject = {}
  for (const [key, field] of fields) {
    const known = isObject(field) ? field : {}
    const line = await person.ask(promptOf(key, known, required.includes(key)))
    if (line === undefined) return undefined
    if (line.trim() === declineWord) return declined
    const value = line.trim() === '' ? known.default : readValue(line.trim(), known)
    if (value !== undefined) values[key] = value
  }
  return { action: 'answer', values }
}

async function readJson(person: Person): Promise<InputReply | undefined> {
  const line = await person.ask(`A JSON object (${declineWord} declines): `)
  if (line === undefined) return undefined
  if (line.trim() === declineWord) return declined
  const read = tryParseJson(line)
  return { action: 'answer', ...(isObject(read) && { values: read }) }
}

function promptOf(key: string, field: JsonObject, isRequired: boolean): string {
  const label =
    typeof field.title === 'string' ? `${visible(field.title)} (${visible(key)}` : `${visible(key)} (`
  const kinds = Array.isArray(field.enum)
    ? `one of ${field.enum.map(wordOf).map(visible).join(', ')}`
    : typeof field.type === 'string'
      ? field.type
      : 'JSON'
  const more = [
    kinds === 'boolean' ? 'y or n' : kinds,
    ...(isRequired ? ['required'] : []),
    ...(field.default === undefined ? [] : [`default ${visible(wordOf(field.default))}`]),
  ]
  const about = typeof field.description === 'string' ? `  ${visible(field.description)}\n` : ''
  return `${about}  ${label}${label.endsWith('(') ? '' : ', '}${more.join(', ')}): `
}

function wordOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What a line means for a field. What cannot be read stays a text, and the check says what is wrong. */
function readValue(line: string, { type, enum: options, items }: JsonObject): JsonValue {
  if (Array.isArray(options)) return options.find((each) => wordOf(each) === line) ?? line
  switch (type) {
    case 'boolean':
      return /^(y|yes|true|on)$/i.test(line) ? true : /^(n|no|false|off)$/i.test(line) ? false : line
    case 'integer':
    case 'number':
      return Number.isFinite(Number(line)) ? Number(line) : line
    case 'string':
      return line
    case 'array': {
      const read = tryParseJson(line)
      if (Array.isArray(read)) return read
      const of = isObject(items) ? items : {}
      return line.split(',').map((each) => readValue(each.trim(), of))
    }
    default:
      // A field of another type, or of several, is given as JSON.
      return tryParseJson(line) ?? line
  }
}

function isWhole(line: string): boolean {
  return /^\d+$/.test(line)
}
