/**
 * The rows of one call: rulings where they were made, the call, its observation, and the files it created.
 * Pure.
 */

import { plural, size, streamedArguments } from '#components/run/figures'
import { planFigures, planLines, planNow } from '#components/run/plan-words'
import { waitWords } from '#components/run/wait-words'
import { waitOf } from '#components/run/waiting'
import { isWaiting } from '#lib/agent/state/reading'
import type { Artifact } from '#lib/spec/artifact'
import { withheldCode } from '#lib/spec/event'
import { argumentsLine, lineLength, shortenText } from '#lib/spec/line'
import type { Block } from '#lib/spec/message'
import type { CallState, RuledCall } from '#lib/spec/state'
import { completionRows } from './completion-rows'
import { hookRows } from './hook-rows'
import { firstAskedAt, inputBars, inputRows } from './input-rows'
import { recallRows } from './recall-rows'
import { type Bar, type Row, type RowTone, row } from './row'

interface Kept {
  readonly rulings: number
  readonly files: number
  readonly completions: number | undefined
  readonly recall: number | undefined
  readonly replacedBy: string | undefined
  readonly rows: readonly Row[]
}

/** Rows of finished calls: built once, unless something was added to the call. */
const settled = new WeakMap<CallState, Kept>()

export function callRows(step: number, call: CallState): readonly Row[] {
  const { rulings, created } = call
  const known = settled.get(call)
  if (
    known?.rulings === rulings.length &&
    known.files === created.length &&
    known.completions === call.completions?.length &&
    known.recall === call.recall?.length &&
    known.replacedBy === call.replacedBy
  )
    return known.rows
  const rows = readCall(step, call)
  if (call.result !== undefined)
    settled.set(call, {
      rulings: rulings.length,
      files: created.length,
      completions: call.completions?.length,
      recall: call.recall?.length,
      replacedBy: call.replacedBy,
      rows,
    })
  return rows
}

function readCall(step: number, call: CallState): Row[] {
  const of = { holder: call.id, step, tool: call.name }
  // A call denied before it started has no `startedAt`; if it has one, the denial came after it ran.
  const isAfter = ({ verdict }: RuledCall) => verdict === 'deny' && call.startedAt !== undefined
  const rulings = call.rulings.map((each, index) => ({ each, line: rulingRow(step, call, each, index) }))
  const rows = [
    ...hookRows(call.hooks, 'pre_acting', of),
    ...rulings.flatMap(({ each, line }) => (isAfter(each) ? [] : [line])),
  ]
  const [waits, body] = barsOf(call)
  const [wait] = waits
  rows.push(
    row({
      id: call.id,
      kind: 'call',
      depth: 1,
      step,
      title: call.name,
      detail: argumentsOf(call),
      tone: callTone(call),
      bar: body,
      at: body?.start ?? wait?.start ?? call.finishedAt ?? null,
      ...(wait !== undefined && { beside: waits }),
      ms: call.startedAt === undefined || call.finishedAt === undefined ? null : call.durationMs,
      ...(call.result === undefined && isWaiting(call) && { expiresAt: waitOf(call).expiresAt }),
      ...(tailOf(call) !== undefined && { tail: tailOf(call) }),
      ...(call.persona !== undefined && { persona: call.persona }),
      call,
    }),
  )
  rows.push(...hookRows(call.hooks, 'post_acting', of), ...hookRows(call.hooks, 'print', of))
  rows.push(...rulings.flatMap(({ each, line }) => (isAfter(each) ? [line] : [])))
  rows.push(...inputRows(step, call), ...completionRows(step, call))
  const shown = call.wait === undefined ? lastLine(call.progress.text) : waitWords(call.wait)
  const observation = call.result === undefined ? shown : observationLine(call.result)
  if (observation !== '') rows.push(observationRow(step, call, observation))
  rows.push(...recallRows(call.recall, of), ...noteRow(step, call))
  rows.push(...planRow(step, call))
  for (const artifact of call.created) rows.push(fileRow(step, call, artifact))
  return call.copied && call.edited !== 'result' ? rows.map((each) => ({ ...each, isCopied: true })) : rows
}

/** The plan as the call left it. */
function planRow(step: number, { id, name, plan }: CallState): Row[] {
  if (plan === undefined) return []
  return [
    row({
      id: `${id}-plan`,
      kind: 'notice',
      depth: 1,
      step,
      title: `Plan: ${planFigures(plan)}`,
      detail: planNow(plan) || plan.title,
      words: planLines(plan),
      tone: 'muted',
      tool: name,
    }),
  ]
}

export function callBars(call: CallState): Bar[] {
  const [waits, body] = barsOf(call)
  return body === null ? waits : [...waits, body]
}

/** The waits for a person, if there were any, and the time the call itself ran. */
function barsOf(call: CallState): [Bar[], Bar | null] {
  const { approval, startedAt, finishedAt } = call
  const body: Bar | null =
    startedAt === undefined
      ? null
      : { kind: 'tool', start: startedAt, end: firstAskedAt(call) ?? finishedAt ?? null }
  if (approval === undefined) return [inputBars(call), body]
  return [
    [{ kind: 'wait', start: approval.askedAt, end: approval.decided?.at ?? null }, ...inputBars(call)],
    body,
  ]
}

/** Where the result came from if no body ran for it, or what a person decided about the call. */
function tailOf(call: CallState): string | undefined {
  if (call.replacedBy !== undefined) return 'replaced by a later call'
  if (call.cached) return 'from the cache'
  if (isWithheld(call)) return resultWithheld
  if (call.edited === undefined)
    return mockedWith(call) ?? decidedBy(call) ?? (call.background && inBackground)
  return call.edited === 'args' ? 'arguments by you' : 'result by you'
}

/** The sign of a mocked call, before what a person decided about it: nothing of it really happened. */
function mockedWith({ mock }: CallState): string | undefined {
  return mock && `mocked: ${mock}`
}

function decidedBy({ approval }: CallState): string | undefined {
  if (approval?.decided === undefined) return undefined
  const { decision, by } = approval.decided
  if (decision === 'approve') return by === 'person' ? 'approved by you' : 'approved'
  return by === 'person' ? 'denied by you' : by === 'timeout' ? 'nobody answered' : 'cancelled'
}

export const inBackground = 'in the background'
export const resultWithheld = 'ran, result withheld'

/** Whether the call ran and a hook kept its result from the model. */
export function isWithheld({ status, code }: Pick<CallState, 'status' | 'code'>): boolean {
  return status === 'error' && code === withheldCode
}

const lines = new WeakMap<object, string>()

/** The arguments in one line: complete, or as much as has arrived. */
export function argumentsOf(call: CallState): string {
  const { args } = call
  if (args !== undefined) return keptLine(args, () => argumentsLine(args))
  const text = call.argsText || call.rawArgs
  // Beyond one line, more text does not change what is shown.
  return text.length > 2 * lineLength
    ? keptLine(call, () => streamedArguments(text))
    : streamedArguments(text)
}

function keptLine(of: object, read: () => string): string {
  const known = lines.get(of)
  if (known !== undefined) return known
  const line = read()
  lines.set(of, line)
  return line
}

/** The note that the tool added to its result for the model. */
function noteRow(step: number, { id, name, note, finishedAt }: CallState): Row[] {
  if (note === undefined) return []
  const words = { title: 'Note to the model', detail: shortenText(note), words: note }
  const at = finishedAt ?? null
  return [row({ id: `${id}-note`, kind: 'notice', depth: 2, step, at, tool: name, isNote: true, ...words })]
}

function fileRow(step: number, call: CallState, artifact: Artifact): Row {
  return row({
    id: `${call.id}-file-${artifact.id}`,
    kind: 'file',
    depth: 2,
    step,
    title: artifact.path ?? artifact.name,
    detail: size(artifact.bytes),
    at: call.finishedAt ?? call.startedAt ?? null,
    tool: call.name,
    artifact,
  })
}

function rulingRow(step: number, call: CallState, ruling: RuledCall, index: number): Row {
  return row({
    id: `${call.id}-ruling-${index}`,
    kind: 'ruling',
    depth: 1,
    step,
    title: ruling.policy,
    detail: ruling.reason,
    tool: call.name,
    tone: ruling.verdict === 'deny' ? 'denied' : 'plain',
    bar: { kind: 'policy', start: ruling.at, end: ruling.at },
  })
}

export function observationId(callId: string): string {
  return `${callId}-observation`
}

function observationRow(step: number, call: CallState, observation: string): Row {
  return row({
    id: observationId(call.id),
    kind: 'observation',
    depth: 2,
    step,
    title: observation,
    tone: call.status === 'ok' || call.status === 'running' ? 'plain' : callTone(call),
    at: call.finishedAt ?? call.startedAt ?? null,
    call,
  })
}

export function callTone(call: CallState): RowTone {
  switch (call.status) {
    case 'streaming':
    case 'running':
      return isWaiting(call) ? 'waiting' : 'working'
    case 'waiting':
      return 'waiting'
    case 'due':
      return 'muted'
    case 'ok':
      return 'ok'
    case 'denied':
      return 'denied'
    case 'skipped':
    case 'interrupted':
      return 'muted'
    case 'error':
    case 'timeout':
    case 'unknown':
      return 'error'
    default:
      return call.status satisfies never
  }
}

/**
 * An observation in one line: a table as its size and columns, a table of one row as its values, anything
 * else as its first line.
 */
export function observationLine({
  blocks,
  text,
}: {
  readonly blocks: readonly Block[]
  readonly text: string
}): string {
  const [block, ...more] = blocks
  if (block?.type !== 'table' || more.length > 0) return firstLine(text)
  const { columns, rows } = block
  const [only] = rows
  if (rows.length !== 1 || only === undefined)
    return shortenText(`${plural(rows.length, 'row')}: ${columns.join(', ')}`)
  return argumentsLine(Object.fromEntries(columns.map((column, index) => [column, only[index] ?? null])))
}

/** A line with nothing but a tag around the text says nothing about it. */
function firstLine(value: string): string {
  const begin = /^<[\w-]{1,60}>\n(?=.)/.exec(value)?.[0].length ?? 0
  const end = value.indexOf('\n', begin)
  if (end < 0) return shortenText(value.slice(begin))
  return shortenText(`${value.slice(begin, Math.min(end, begin + 2 * lineLength))} …`)
}

/** The last line of a growing text. */
function lastLine(value: string): string {
  const said = value.slice(-2 * lineLength).trimEnd()
  return shortenText(said.slice(said.lastIndexOf('\n') + 1))
}
