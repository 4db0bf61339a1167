/**
 * The demo model: not an AI, but plain rules that read the offered tools and the conversation and choose the
 * next step.
 */
import type { WireTool } from '#lib/spec/model'
import { finishName } from '#lib/spec/tool'
import type { Conversation } from '../scripted/body'
import type { ScriptedTurn } from '../scripted/turn'
import { planWithPerson } from './asking'
import { answerFromData } from './data'
import { endByTool } from './ending'
import { answerErrand } from './errands'
import { answerWithTool, findClosestTool } from './fit'
import { findKit, type Kit } from './kit'
import { readRows } from './observation'
import { answerSimply } from './simple'
import { playSteps, type Steps } from './steps'
import { type Done, readTrail, type Trail } from './trail'

/** The next turn. Pure: it depends on the conversation alone. */
export function demo(conversation: Conversation): ScriptedTurn {
  const finish = conversation.tools.find((each) => each.name === finishName)
  const tools = conversation.tools.filter((each) => each !== finish)
  const trail = readTrail(conversation)
  return endByTool(finish, playSteps(answer(trail, tools), trail))
}

function* answer(trail: Trail, tools: readonly WireTool[]): Steps {
  const { question, done } = trail
  if (tools.length === 0 && done.length > 0) return summarize(done)
  if (tools.length === 0) return `${whoIAm} No tools are offered to me here, so I can do nothing but say so.`
  const kit = findKit(tools)
  const simple = answerSimply(question, kit)
  if (simple !== undefined) return yield* simple
  const errand = answerErrand(question, tools)
  if (errand !== undefined) return yield* errand
  const plan = planWithPerson(question, tools)
  if (plan !== undefined) return yield* plan
  if (isChat(question)) return sayAbilities(tools, kit)
  const fit = findClosestTool(question, tools)
  const isOther = fit?.isNamed === true && !Object.values(kit).some((each) => each?.name === fit.tool.name)
  const { listTables, listColumns, execute } = kit
  if (!isOther && listTables !== undefined && listColumns !== undefined)
    return yield* answerFromData(trail, { listTables, listColumns, execute })
  return fit === undefined
    ? `None of my rules fits that. ${sayAbilities(tools, kit)}`
    : yield* answerWithTool(fit)
}

const whoIAm = 'I am a scripted demo, no AI: I follow plain rules.'

const greeting =
  /^\s*(hi|hello|hey|help|thanks|thank you|good (morning|day|evening))( there| all| everyone| you| me)?[\s.!?]*$/i

function isChat(question: string): boolean {
  return (
    question.trim() === '' ||
    greeting.test(question) ||
    /\b(what can you do|who are you|what are you|how do you work)\b/i.test(question)
  )
}

function sayAbilities(tools: readonly WireTool[], kit: Kit): string {
  const hasData = kit.listTables !== undefined && kit.listColumns !== undefined && kit.execute !== undefined
  const abilities = [
    hasData
      ? 'answer questions about the database, such as how many, how much, which has the most, the average of one thing by another'
      : '',
    kit.calculate === undefined ? '' : 'do arithmetic, such as "what is 12.5% of 840"',
    kit.now === undefined ? '' : 'tell the time',
  ].filter((each) => each !== '')
  if (abilities.length > 0) return `${whoIAm} I can ${abilities.join('; ')}.`
  return `${whoIAm} I can call the closest tool when your question names it and gives what it needs: ${tools.map(sayPurpose).join(' ')}`
}

/** The first sentence of a tool's description, which a person understands better than the tool's wire name. */
function sayPurpose({ name, description }: WireTool): string {
  return /^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? `${description || name}.`
}

const summarizedAtMost = 8

/** A summary of the results so far, for a closing answer without tools. */
function summarize(done: readonly Done[]): string {
  const last = done.slice(-summarizedAtMost)
  const earlier = done.length > last.length ? ` (the last ${last.length} of ${done.length} calls)` : ''
  return `I had to stop before the end. What I found so far${earlier}:\n${last.map((each) => `- ${sayResult(each)}`).join('\n')}`
}

function sayResult({ text, isError }: Done): string {
  if (isError) return `failed, saying: ${firstLine(text)}`
  const { columns = [], rows = [] } = readRows(text) ?? {}
  const [first] = rows
  if (columns.length === 0) return firstLine(text)
  if (first === undefined) return 'no rows'
  if (rows.length === 1)
    return firstLine(columns.map((name, index) => `${name} ${first[index] ?? 'none'}`).join(', '))
  const shown = rows.slice(0, 3).map((row) => row.slice(0, 2).join(' '))
  return firstLine(`${rows.length} rows: ${shown.join(', ')}${rows.length > 3 ? ' …' : ''}`)
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
