/** What a run reads from memory and knowledge before its first step, and what is remembered of it at its end. */
import type { EventBody, RunEvent } from '#lib/spec/event'
import { cutAt } from '#lib/spec/line'
import { outsideOf, usualSources } from '#lib/spec/outside'
import type { BoundPolicy } from '#lib/spec/policy'
import { maxMemoryChars, memorySearchName, type RecallReport } from '#lib/spec/recall'
import type { Recaller } from '#lib/spec/toolkit'
import type { Ran } from './call/running'
import { stopOf } from './deps'
import type { Engine } from './engine'
import type { Due } from './next'
import { type Hider, hiderOf } from './observation/hide'
import { hookedAnswer, hookedQuestion } from './state/hook-record'

/** How much of a question is searched for, in characters. */
const maxQuery = 1_000
/** The time limit of a search at the start, in milliseconds. */
const startMs = 10_000

/** Asks each entry once for what fits the question; what is on record is not asked again. */
export async function* recallAtStart(engine: Engine): AsyncGenerator<RunEvent, void> {
  const { state, deps, signal } = engine
  const known = new Set(state.recall?.map(({ node }) => node))
  const asked = (deps.recallers ?? []).filter(({ node }) => !known.has(node))
  if (asked.length === 0) return
  const question = hookedQuestion(state) ?? state.start.input
  const query = question.slice(0, cutAt(question, maxQuery))
  const limit = AbortSignal.any([signal, AbortSignal.timeout(startMs)])
  const found = await Promise.all(asked.map((each) => ask(engine, each, { query, signal: limit })))
  // A run that is drained asks again when it is resumed.
  if (stopOf(signal) === 'drain') return
  for (const body of found) if (body !== undefined) yield engine.emit(body)
}

async function ask(
  engine: Engine,
  { node, tool, atStart }: Recaller,
  { query, signal }: { readonly query: string; readonly signal: AbortSignal },
): Promise<EventBody | undefined> {
  const { state, deps } = engine
  const found = await atStart({ query, agent: state.start.agent.id }, deps.ports, signal)
  return (
    found && {
      ...hidden(
        hiderOf(engine, tool, () => {}),
        found,
      ),
      node,
    }
  )
}

/** A report without secrets, and without what the masks of its tool find. */
export function hidden<R extends RecallReport>({ text: hide }: Pick<Hider, 'text'>, report: R): R {
  return hiddenTexts(hide, report) as R // cast: only the texts of a report change
}

function hiddenTexts(hide: Hider['text'], report: RecallReport): RecallReport {
  const texts = <E extends { readonly text: string }>(list: readonly E[]) =>
    list.map((each) => ({ ...each, text: hide(each.text) }))
  switch (report.type) {
    case 'memory.retrieved':
      return { ...report, query: hide(report.query), entries: texts(report.entries) }
    case 'knowledge.retrieved':
      return { ...report, query: hide(report.query), passages: texts(report.passages) }
    case 'memory.recorded':
      return { ...report, texts: report.texts.map(hide) }
  }
  return report satisfies never
}

/** Remembers the question and the answer where an entry asks for it, unless content from outside may speak through them. */
export function* rememberAtEnd(
  engine: Engine,
  due: Extract<Due, { do: 'finish' }>,
): Generator<RunEvent, void> {
  const { state, deps } = engine
  const answer = hookedAnswer(state) ?? due.answer
  if (due.status !== 'completed' || answer === null) return
  const known = new Set(state.recall?.flatMap(({ type, node }) => (type === 'memory.recorded' ? [node] : [])))
  const recording = (deps.recallers ?? []).filter(({ node, records }) => records && !known.has(node))
  if (recording.length === 0) return
  const outside = outsideNow(engine)
  const agent = state.start.agent.id
  for (const { node, tool } of recording) {
    const skipped = agent === null ? deps.ports.memory.problem : skippedWords(outside)
    const { text: hide } = hiderOf(engine, tool, () => {})
    const text = exchangeText(hide(hookedQuestion(state) ?? state.start.input), hide(answer))
    const entries = skipped === undefined ? [{ id: entryId(engine, `end/${node}`), text }] : []
    yield engine.emit({
      type: 'memory.recorded',
      node,
      agent,
      entries,
      ...(skipped !== undefined && { skipped }),
    })
  }
}

/** The sources that have brought something in, apart from the memory itself. */
function outsideNow(engine: Engine): string[] {
  const { begun, hasFiles, hadFiles } = engine.past(() => new Set())(anyPolicy)
  const others = begun.filter(({ scopeName }) => scopeName !== memorySearchName)
  return outsideOf(usualSources, { begun: others, hasFiles, hadFiles })
}

/** What is asked of the past here does not depend on a policy. */
const anyPolicy: BoundPolicy = {
  use: 'memory',
  node: 'agent',
  stages: [],
  rule: () => undefined,
  limit: () => {},
  limitTool: () => {},
}

function skippedWords(outside: readonly string[]): string | undefined {
  if (outside.length === 0) return undefined
  return `The run has content from outside (${outside.join(', ')}), so it is remembered only where the model asks for it.`
}

/** A question and its answer as one note. */
function exchangeText(question: string, answer: string): string {
  const half = maxMemoryChars / 2 - 20
  return `Asked: ${shorten(question, half)}\nAnswered: ${shorten(answer, half)}`
}

function shorten(text: string, most: number): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length <= most ? line : `${line.slice(0, cutAt(line, most - 1)).trimEnd()}…`
}

/** The events for what a body reports of memory and knowledge. */
export function recallEvents(engine: Engine, { call, tool, outcome: { ended } }: Ran): EventBody[] {
  if (ended.status !== 'ok' || ended.recall === undefined) return []
  const { node } = tool
  return ended.recall.map((report, index): EventBody => {
    if (report.type !== 'memory.recorded') return { ...report, node, callId: call.id }
    const entries = report.texts.map((text, at) => {
      return {
        id: entryId(engine, `${call.id}/${index}/${at}`),
        text: text.slice(0, cutAt(text, maxMemoryChars)),
      }
    })
    return { type: 'memory.recorded', node, agent: engine.state.start.agent.id, entries, callId: call.id }
  })
}

/** The same for the same place in the same run. Runs inside calls have the id of the outer run, and a place of their own. */
function entryId({ deps, state }: Engine, place: string): string {
  const inside = deps.outer === undefined ? place : `${deps.outer.path}/${place}`
  return `mem_${deps.hash(`${deps.runId ?? state.startedAt ?? 0}/${inside}`).slice(0, 20)}`
}
