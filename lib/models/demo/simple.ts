/** Answers questions that need one kind of call, several in parallel: arithmetic and the time. */
import { type JsonObject, jsonKey } from '#lib/spec/json'
import type { ScriptedTurn } from '../scripted/turn'
import { expressionsIn } from './arithmetic'
import type { Kit } from './kit'
import { readRows } from './observation'
import type { Trail } from './trail'
import { capitalize, joinWithAnd } from './words'

interface WantedCall {
  readonly name: string
  readonly args: JsonObject
  /** What the demo does with it, in words. */
  readonly purpose: string
  say(result: string): string
}

/** Undefined if the question has neither, or the tools are not offered. */
export function answerSimply({ question, done }: Trail, kit: Kit): ScriptedTurn | undefined {
  const wanted = [...findSums(question, kit), ...findTimes(question, kit)].map((each) => ({
    ...each,
    result: done.find(({ name, args }) => name === each.name && jsonKey(args) === jsonKey(each.args)),
  }))
  if (wanted.length === 0) return undefined
  const missing = wanted.filter((each) => each.result === undefined)
  if (missing.length > 0)
    return {
      reasoning: `${capitalize(joinWithAnd(missing.map((each) => each.purpose)))}.`,
      calls: missing.map(({ name, args }) => ({ name, args })),
    }
  const lines = wanted.map(({ name, purpose, result, say }) => {
    const { text = '', isError = false } = result ?? {}
    return isError ? `${purpose}: ${name} refused, saying: ${text}` : say(text.trim())
  })
  return { text: lines.join('\n') }
}

function findSums(question: string, { calculate }: Kit): WantedCall[] {
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

function findTimes(question: string, { now }: Kit): WantedCall[] {
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
