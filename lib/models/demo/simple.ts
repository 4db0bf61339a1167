/** Answers questions that need one kind of call, several in parallel: arithmetic and the time. */
import type { JsonObject } from '#lib/spec/json'
import { expressionsIn } from './arithmetic'
import type { Kit } from './kit'
import { readRows } from './observation'
import type { NeededCall, Steps } from './steps'
import { capitalize, joinWithAnd } from './words'

interface SimpleCall extends NeededCall {
  /** What the demo does with it, in words. */
  readonly purpose: string
  say(result: string): string
}

/** Undefined if the question has neither, or the tools are not offered. */
export function answerSimply(question: string, kit: Kit): Steps | undefined {
  const calls = [...findSums(question, kit), ...findTimes(question, kit)]
  return calls.length === 0 ? undefined : makeCalls(calls)
}

function* makeCalls(calls: readonly SimpleCall[]): Steps {
  const reasoning = `${capitalize(joinWithAnd(calls.map((each) => each.purpose)))}.`
  const results = yield { reasoning, calls: calls.map(({ name, args }) => ({ name, args })), isFresh: true }
  const lines = calls.map(({ name, purpose, say }, index) => {
    const { text = '', isError = false } = results[index] ?? {}
    return isError ? `${purpose}: ${name} refused, saying: ${text}` : say(text.trim())
  })
  return lines.join('\n')
}

function findSums(question: string, { calculate }: Kit): SimpleCall[] {
  if (calculate === undefined) return []
  return expressionsIn(question).map((expression) => ({
    name: calculate.name,
    args: { [calculate.argument]: expression },
    purpose: `I work out ${expression}`,
    say: (result) => `${expression} = ${result}`,
  }))
}

const aboutTime =
  /\bwhat('s| is)? (the )?(current )?(time|date|day|weekday)\b(?! of)|\btoday's date\b|\bwhat (day|date|weekday|year) is (it|today)\b|\bcurrent (time|date)\b|\btime is it\b/i

function findTimes(question: string, { now }: Kit): SimpleCall[] {
  if (now === undefined || !aboutTime.test(question)) return []
  const zone = findZone(question)
  const args: JsonObject = now.argument === '' || zone === undefined ? {} : { [now.argument]: zone }
  return [{ name: now.name, args, purpose: 'I look at the clock', say: (result) => sayTime(result, zone) }]
}

function sayTime(result: string, asked: string | undefined): string {
  const { columns = [], rows = [] } = readRows(result) ?? {}
  const cell = (name: string) => rows[0]?.[columns.indexOf(name)]
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/.exec(String(cell('now') ?? result)) ?? []
  if (date === undefined) return `The clock says: ${result}`
  const weekday = cell('weekday')
  const zone = cell('timezone') ?? asked
  return `It is ${typeof weekday === 'string' ? `${weekday}, ` : ''}${date}, ${time}${typeof zone === 'string' ? ` (${zone})` : ''}.`
}

/** A time zone by its name or its city: "Europe/Berlin", "Berlin", "New York". */
function findZone(question: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone')
  const spell = (text: string) =>
    ` ${text
      .toLowerCase()
      .replace(/[^\p{L}\d+-]+/gu, ' ')
      .trim()} `
  const isNamed = (name: string) => spell(question).includes(spell(name))
  return zones.find(isNamed) ?? zones.find((each) => isNamed(each.split('/').at(-1) ?? each))
}
