/** Prints a run to a terminal while it is running: thoughts, calls and observations, step by step. */
import type { EventOf, RunEvent } from '#lib/spec/event'
import { jsonLine, lineOf } from '#lib/spec/line'
import type { Part } from '#lib/spec/message'
import { textOf } from '#lib/spec/message'
import { planProgress, readPlan } from '#lib/spec/plan'
import { visible } from '#lib/spec/visible'
import { plain } from './terminal'
import { traceRecall } from './trace-recall'

/** The most characters of a reason, which is printed on one line. */
const longestReason = 1_200
/** A text on one line, with hidden characters made visible. */
const line = (text: string) => lineOf(text, longestReason)

const maxLines = 12
const maxChars = 1_200

/** The lines for an event, with newlines; most events have none. Those of a run inside a call are further in. */
export function traceEvent(event: RunEvent): string {
  const { parent } = event
  if (parent === undefined) return linesOf(event)
  const further = '    '.repeat(parent.split('/').length)
  const lines =
    event.type === 'step.started' ? `\nstep ${event.step} inside ${line(parent)}\n` : linesOf(event)
  return lines.replace(/^(?=.)/gm, further)
}

function linesOf(event: RunEvent): string {
  switch (event.type) {
    case 'run.queued':
      return traceMocks(event)
    case 'run.started':
      return traceStart(event)
    case 'step.started':
      return `\nstep ${event.step}\n`
    case 'model.answered':
      return thought(event.parts) + (event.fault === undefined ? '' : `  ! ${line(event.fault.message)}\n`)
    case 'model.retried':
      return `  ! attempt ${event.attempt}: ${line(event.reason)} Again in ${(event.waitMs / 1000).toFixed(1)} s.\n`
    case 'context.truncated':
      return `  ! the oldest ${countOf(event.messages.dropped, 'message')} left out\n`
    case 'context.compacted':
      return traceCut(event)
    case 'protocol.warned':
      return event.warnings.map((each) => `  ! ${line(each)}\n`).join('')
    case 'artifact.created':
      return `  + ${line(event.artifact.path ?? event.artifact.name)}, ${countOf(event.artifact.bytes, 'byte')}\n`
    case 'policy.ruled':
      return `  ! ${line(event.tool)}: ${event.verdict}, ${line(event.reason)} (${event.node})\n`
    case 'personas.assigned':
      return tracePersonas(event)
    case 'completion.finished':
      return traceCompletion(event)
    case 'hook.called':
      return traceHook(event)
    case 'groups.changed':
      return `  ! active groups: ${event.active.map(line).join(', ') || 'none'}\n`
    case 'tools.found':
      return `  ! found tools: ${event.names.map(line).join(', ')}\n`
    case 'tools.changed':
      return traceToolChange(event)
    case 'plan.updated':
      return tracePlan(event)
    case 'memory.retrieved':
    case 'knowledge.retrieved':
    case 'memory.recorded':
      return traceRecall(event)
    case 'call.started':
      return traceCallStart(event)
    case 'call.finished':
      return traceCallEnd(event)
    case 'input.requested':
      return traceQuestion(event)
    case 'input.given':
      return `  ! ${event.by === 'person' ? 'reply' : event.by}: ${line(replyWords(event))}\n`
    case 'call.continued':
      return '  → the call goes on with the replies\n'
    case 'run.steered':
      return `  ! you said: ${line(event.text)}\n`
    case 'run.summarizing':
      return `  ! ${line(event.reason)}: asking for a closing answer\n`
    case 'run.finished':
      return traceRunEnd(event)
    // These tell of how a step goes; what came of it has an event, and a line, of its own.
    case 'run.resumed':
    case 'model.requested':
    case 'reasoning.delta':
    case 'text.delta':
    case 'call.delta':
    case 'call.sealed':
    case 'call.progressed':
    case 'call.rested':
    case 'approval.requested':
    case 'approval.decided':
    case 'step.finished':
      return ''
  }
  return event satisfies never
}

function traceMocks({ mocks = [] }: EventOf<'run.queued'>): string {
  if (mocks.length === 0) return ''
  return `  ! mocked tools: ${mocks.map(({ tool, kind }) => `${line(tool)} (${kind})`).join(', ')}\n`
}

function traceStart({ agent, model, tools }: EventOf<'run.started'>): string {
  const lines = [
    `${line(agent.name)} · ${model.provider}/${line(model.name)} · tools: ${tools.offered.map((each) => line(each.name)).join(', ') || 'none'}`,
  ]
  lines.push(...tools.withheld.map(withheldLine))
  return `${lines.join('\n')}\n`
}

function withheldLine({ name, reason, node }: EventOf<'run.started'>['tools']['withheld'][number]): string {
  return `  withheld ${line(name)}: ${line(reason)} (${node})`
}

function traceToolChange({ added, removed, changed, withheld, reason }: EventOf<'tools.changed'>): string {
  const names = (mark: string, tools: readonly { readonly name: string }[]) =>
    tools.map((each) => `${mark}${line(each.name)}`)
  const all = [...names('+', added), ...names('-', removed), ...names('~', changed)]
  const now = all.length === 0 ? 'others are withheld' : all.join(' ')
  const lines = [`  ! tools: ${now} (${line(reason)})`, ...(withheld ?? []).map(withheldLine)]
  return `${lines.join('\n')}\n`
}

/** Text with calls is a thought. Text without calls is the answer, which is printed whole at the end. */
function thought(parts: readonly Part[]): string {
  const calls = parts.some((each) => each.type === 'call')
  const reasoning = parts.flatMap((each) => (each.type === 'reasoning' ? [each.text] : []))
  const said = textOf(parts).trim()
  const lines = [...reasoning, calls ? said : said === '' ? '' : 'The answer is ready.']
  return lines
    .filter((each) => each.trim() !== '')
    .map((each) => `${indentLines(each, '  ')}\n`)
    .join('')
}

function traceCut({ calls, summary, to, tokensBefore, tokensAfter }: EventOf<'context.compacted'>): string {
  const cleared = calls.length === 0 ? '' : `${countOf(calls.length, 'result')} taken out`
  const replaced = summary === undefined ? '' : `steps 1 to ${to} summed up`
  const what = [cleared, replaced].filter((each) => each !== '').join(', ')
  return `  ! ${what}, to save space: ${tokensBefore} tokens before, ${tokensAfter} after\n`
}

/** How far the plan is, and the step in progress; the call that changed it shows the whole plan. */
function tracePlan({ plan: stored, by }: EventOf<'plan.updated'>): string {
  const plan = readPlan(stored)
  const { done, total, current } = planProgress(plan)
  const step = plan.steps[current]
  const now =
    plan.ended === undefined ? (step === undefined ? '' : `, now: ${line(step.text)}`) : `, ${plan.ended}`
  const who = by === 'person' ? ' (changed by a person)' : ''
  return `  # plan "${line(plan.title)}": ${done} of ${countOf(total, 'step')} done${now}${who}\n`
}

function tracePersonas({ names, error }: EventOf<'personas.assigned'>): string {
  if (error !== undefined) return `  ! no personas: ${line(error.message)}\n`
  const named = Object.entries(names).map(([tool, name]) => `${line(name)} (${line(tool)})`)
  return `  ! personas: ${named.join(', ') || 'none'}\n`
}

/** What a call asked a model for, and what that took. */
function traceCompletion({
  purpose,
  model,
  usage,
  costUsd,
  durationMs,
  error,
}: EventOf<'completion.finished'>): string {
  const tokens = countOf(usage.input + usage.output, 'token')
  const cost = costUsd === null || costUsd === 0 ? '' : `, $${costUsd.toFixed(4)}`
  const failed = error === undefined ? '' : `, failed: ${line(error.message)}`
  return `  ? ${line(purpose)}: ${model.provider}/${line(model.name)}, ${tokens}, ${durationMs} ms${cost}${failed}\n`
}

/** A hook call that changed nothing has no line. */
function traceHook({ on, node, decision, reason, error, changed, note }: EventOf<'hook.called'>): string {
  if (decision === 'continue' && error === undefined && changed === undefined && note === undefined) return ''
  const what =
    error === undefined ? (reason ?? (decision === 'deny' ? 'denied' : 'changed')) : `failed: ${error}`
  return `  ! hook ${on}: ${decision}, ${line(what)} (${node})\n`
}

function traceQuestion({ server, question, url, refused }: EventOf<'input.requested'>): string {
  const who = server === undefined ? '' : `${line(server)}: `
  const where = url === undefined ? '' : ` (${line(url)})`
  const why = refused === undefined ? '' : `  ! not asked: ${line(refused)}\n`
  return `  ? ${who}${line(question)}${where}\n${why}`
}

function replyWords({ action, text, values }: EventOf<'input.given'>): string {
  if (action === 'answer') return text ?? (values === undefined ? 'done' : JSON.stringify(values))
  const word = action === 'decline' ? 'declined' : 'cancelled'
  return text === undefined ? word : `${word}: ${text}`
}

function traceCallStart({ name, args, background, mock, persona }: EventOf<'call.started'>): string {
  const mocked = mock === undefined ? '' : ` (mocked: ${mock})`
  const who = persona === undefined ? '' : `${line(persona)}: `
  const where = background === undefined ? '' : ' (in the background)'
  return `  → ${who}${line(name)} ${visible(jsonLine(args, maxChars))}${where}${mocked}\n`
}

function traceCallEnd(event: EventOf<'call.finished'>): string {
  const replaced =
    event.replaces === undefined ? '' : '  ! this result replaces the answer of an earlier call\n'
  const code = event.code === null ? '' : ` (${event.code})`
  // The result of the call that ends the run is printed once, as the answer.
  const result = event.final === undefined ? `${indentLines(shortenLine(event.result.text), '    ')}\n` : ''
  const note = event.note === undefined ? '' : `  ! its note to the model: ${shortenLine(event.note)}\n`
  return `  ← ${line(event.name)} ${event.status}${code} ${event.durationMs} ms\n${result}${note}${replaced}`
}

function traceRunEnd(event: EventOf<'run.finished'>): string {
  const calls = event.toolCalls.reduce((sum, each) => sum + each.count, 0)
  const seconds = ((event.finishedAt - event.startedAt) / 1000).toFixed(1)
  const error = event.error === null ? '' : `: ${line(event.error.message)} (${event.error.code})`
  // A run without cost needs no figure.
  const cost = event.costUsd === null || event.costUsd === 0 ? '' : ` · $${event.costUsd.toFixed(4)}`
  return `\n${event.status}${error} · ${countOf(event.steps, 'step')} · ${countOf(calls, 'call')} · ${seconds} s${cost}\n`
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function indentLines(text: string, indent: string): string {
  return plain(text)
    .split('\n')
    .map((each) => `${indent}${each}`)
    .join('\n')
}

function shortenLine(text: string): string {
  const lines = text.split(/\r?\n/)
  const kept = lines.slice(0, maxLines).join('\n')
  const more = lines.length - maxLines
  const cut = kept.length > maxChars ? `${kept.slice(0, maxChars)}…` : kept
  return visible(more > 0 ? `${cut}\n… (${more} more lines)` : cut)
}
