/**
 * The demo model: not an AI, but plain rules that read the offered tools and the conversation and choose the
 * next step.
 */
import type { WireTool } from '#lib/spec/model'
import type { Conversation } from '../scripted/body'
import type { ScriptedTurn } from '../scripted/turn'
import { answerFromData } from './data'
import { endedBy, finishOf } from './ending'
import { answerWith, closest } from './fit'
import { readRows } from './observation'
import { type Kit, kitOf } from './offer'
import { answerSimply } from './simple'
import { type Done, readTrail } from './trail'

/** The next turn. Pure: it depends on the conversation alone. */
export function demo(conversation: Conversation): ScriptedTurn {
  const finish = finishOf(conversation.tools)
  return endedBy(
    finish,
    byRules(
      conversation,
      conversation.tools.filter((each) => each !== finish),
    ),
  )
}

function byRules(conversation: Conversation, tools: readonly WireTool[]): ScriptedTurn {
  const trail = readTrail(conversation)
  if (tools.length === 0)
    return {
      text:
        trail.done.length > 0
          ? summary(trail.done)
          : `${whoIAm} No tools are offered to me here, so I can do nothing but say so.`,
    }
  const kit = kitOf(tools)
  const fit = closest(trail.question, tools)
  const known = new Set<WireTool | undefined>(Object.values(kit))
  return (
    answerSimply(trail, kit) ??
    (isChat(trail.question) ? { text: abilities(tools, kit) } : undefined) ??
    (fit?.named === true && !known.has(fit.tool) ? answerWith(fit, trail) : undefined) ??
    answerFromData(trail, kit) ??
    (fit === undefined
      ? { text: `None of my rules fits that. ${abilities(tools, kit)}` }
      : answerWith(fit, trail))
  )
}

const whoIAm = 'I am a scripted demo, no AI: I follow plain rules.'

function isChat(question: string): boolean {
  return (
    question.trim() === '' ||
    /^\s*(hi|hello|hey|help|thanks|thank you|good (morning|day|evening))( there| all| everyone| you| me)?[\s.!?]*$/i.test(
      question,
    ) ||
    /\b(what can you do|who are you|what are you|how do you work)\b/i.test(question)
  )
}

function abilities(tools: readonly WireTool[], kit: Kit): string {
  const can: string[] = []
  if (kit.listTables !== undefined && kit.listColumns !== undefined && kit.execute !== undefined) {
    can.push(
      'answer questions about the database, such as how many, how much, which has the most, the average of one thing by another',
    )
  }
  if (kit.calculate !== undefined) can.push('do arithmetic, such as "what is 12.5% of 840"')
  if (kit.now !== undefined) can.push('tell the time')
  const first =
    can.length === 0
      ? `I can call the closest tool when your question names it and gives what it needs: ${tools.map(purpose).join(' ')}`
      : `I can ${can.join('; ')}.`
  return `${whoIAm} ${first}`
}

/**
 * The first sentence of a tool's description, which a person understands better than the tool's wire name.
 */
function purpose({ name, description }: WireTool): string {
  return /^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? `${description || name}.`
}

const toldAtMost = 8

/** A summary of the results so far, for a closing answer without tools. */
function summary(done: readonly Done[]): string {
  const told = done.slice(-toldAtMost)
  const earlier = done.length > told.length ? ` (the last ${told.length} of ${done.length} calls)` : ''
  return `I had to stop before the end. What I found so far${earlier}:\n${told.map((each) => `- ${brief(each)}`).join('\n')}`
}

function brief({ text, isError }: Done): string {
  if (isError) return `failed, saying: ${firstLine(text)}`
  const read = readRows(text)
  if (read === undefined) return firstLine(text)
  const [first] = read.rows
  if (first === undefined) return 'no rows'
  const told =
    read.rows.length === 1
      ? read.columns.map((name, index) => `${name} ${first[index] ?? 'none'}`).join(', ')
      : `${read.rows.length} rows: ${read.rows
          .slice(0, 3)
          .map((row) => row.slice(0, 2).join(' '))
          .join(', ')}${read.rows.length > 3 ? ' …' : ''}`
  return firstLine(told)
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
