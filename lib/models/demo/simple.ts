/** Answers questions that need one kind of call, several in parallel: arithmetic and the time. */
import type { JsonObject } from '#lib/spec/json'
import type { ScriptedTurn } from '../scripted/turn'
import { expressionsIn } from './arithmetic'
import { readRows } from './observation'
import { argumentOf, type Kit } from './offer'
import type { Done, Trail } from './trail'
import { capital, listed } from './words'

interface Wanted {
  readonly name: string
  readonly args: JsonObject
  readonly what: string
  say(done: Done): string
}

/** Undefined if the question has neither, or the tools are not offered. */
export function answerSimply({ question, done }: Trail, kit: Kit): ScriptedTurn | undefined {
  const wanted = [...sums(question, kit), ...times(question, kit)]
  if (wanted.length === 0) return undefined
  const results = wanted.map((each) =>
    done.find((call) => call.name === each.name && sameArgs(call.args, each.args)),
  )
  const missing = wanted.filter((_, index) => results[index] === undefined)
  if (missing.length > 0) {
    return {
      reasoning: `${capital(listed(missing.map((each) => each.what)))}.`,
      calls: missing.map(({ name, args }) => ({ name, args })),
    }
  }
  const said = wanted.flatMap((each, index) => {
    const call = results[index]
    if (call === undefined) return []
    return [call.isError ? `${each.what}: ${call.name} refused, saying: ${call.text}` : each.say(call)]
  })
  return { text: said.join('\n') }
}

function sums(question: string, { calculate }: Kit): Wanted[] {
  if (calculate === undefined) return []
  const argument = argumentOf(calculate, /^(expression|formula)$/i) ?? 'expression'
  return expressionsIn(question).map((expression) => ({
    name: calculate.name,
    args: { [argument]: expression },
    what: `I work out ${expression}`,
    say: ({ text }) => `${expression} = ${text.trim()}`,
  }))
}

const aboutTime =
  /\bwhat('s| is)? (the )?(current )?(time|date|day|weekday)\b(?! of)|\btoday's date\b|\bwhat (day|date|weekday|year) is (it|today)\b|\bcurrent (time|date)\b|\btime is it\b/i

function times(question: string, { now }: Kit): Wanted[] {
  if (now === undefined || !aboutTime.test(question)) return []
  const zone = argumentOf(now, /zone|^tz$/i)
  const asked = zoneIn(question)
  const args: JsonObject = zone === undefined || asked === undefined ? {} : { [zone]: asked }
  return [{ name: now.name, args, what: 'I look at the clock', say: (done) => sayTime(done, asked) }]
}

function sayTime({ text }: Done, asked: string | undefined): string {
  const read = readRows(text)
  const cell = (name: string) => read?.rows[0]?.[read.columns.indexOf(name)]
  const [, date, time] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/.exec(String(cell('now') ?? text.trim())) ?? []
  const zone = cell('timezone') ?? asked
  if (date === undefined || time === undefined) return `The clock says: ${text.trim()}`
  const weekday = cell('weekday')
  return `It is ${typeof weekday === 'string' ? `${weekday}, ` : ''}${date}, ${time}${typeof zone === 'string' ? ` (${zone})` : ''}.`
}

/** A time zone by its name or its city: "Europe/Berlin", "Berlin", "New York". */
function zoneIn(question: string): string | undefined {
  const text = question.toLowerCase()
  const zones = Intl.supportedValuesOf('timeZone')
  return (
    zones.find((each) => text.includes(each.toLowerCase())) ??
    zones.find((each) => isNamed(text, each.split('/').at(-1) ?? each))
  )
}

function isNamed(text: string, city: string): boolean {
  const name = city.replaceAll('_', ' ').toLowerCase()
  const at = text.indexOf(name)
  return at >= 0 && !/\p{L}/u.test(text[at - 1] ?? ' ') && !/\p{L}/u.test(text[at + name.length] ?? ' ')
}

function sameArgs(one: JsonObject, other: JsonObject): boolean {
  const keys = Object.keys(other)
  return Object.keys(one).length === keys.length && keys.every((each) => one[each] === other[each])
}
