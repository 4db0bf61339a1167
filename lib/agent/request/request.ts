/** Builds the request of a step from the state alone, with the same bytes whenever it is built. */
import type { EventOf } from '#lib/spec/event'
import type { Message } from '#lib/spec/message'
import type { ToolChoice, WireTool } from '#lib/spec/model'
import type { Picture } from '#lib/spec/picture'
import type { Codec } from '#lib/spec/protocol'
import type { RunState, StepState } from '#lib/spec/state'
import { estimateTokens } from '#lib/spec/tokens'
import { finishName } from '#lib/spec/tool'
import { refusedJson } from '../answer/retry'
import type { RunDeps } from '../deps'
import { limitsOf } from '../limits'
import { stepCount } from '../next'
import { hookedInstructions, hookedLastMessage, noteIn } from '../state/hook-record'
import { createCodecs } from './codecs'
import { type Cuts, createCuts } from './cuts'
import { outputWords } from './output'
import { ownMessages } from './own-messages'
import { pair, renumber } from './pairing'
import {
  type PictureData,
  pictureFiller,
  pictureView,
  pictureWeight,
  shownPictures,
  withoutResultPictures,
} from './pictures'
import { recalledMessages } from './recalled'
import { serverTextsIn } from './server-texts'
import { skillLinesIn } from './skill-lines'
import { tokensOf, windowOf } from './window'

export type WireDeps = Pick<
  RunDeps,
  'model' | 'codec' | 'tools' | 'instructions' | 'nextStepPrompt' | 'output' | 'policies' | 'hash'
>

export interface Asking {
  readonly step: StepState
  readonly attempt: number
  /** True when the last answer was empty and the model is asked once more. */
  readonly nudge: boolean
  /** Where the provider is asked to cache the request. */
  readonly cacheKey?: string | undefined
  /** The files of the pictures that the request shows; absent when it shows none. */
  readonly pictures?: PictureData
}

export interface Request {
  readonly body: string
  /** The part of the body that is pictures; absent when it has none. */
  readonly pictures?: { readonly chars: number; readonly tokens: number }
  /** The input of the protocol: the instructions with their placeholders replaced, and the messages. */
  readonly said: { readonly instructions: string; readonly messages: readonly Message[] }
  readonly tools: EventOf<'model.requested'>['tools']
  readonly counts: EventOf<'model.requested'>['counts']
}

export interface RequestWriter {
  /** How many messages before the question the window keeps, and how many it drops. */
  readonly window: { readonly kept: number; readonly dropped: number }
  /** The protocol, opened over the tools of the step. */
  codec(step: StepState): Codec
  /** What is cut from the run's own steps in this request. */
  cuts(asking: Pick<Asking, 'step' | 'attempt'>): Cuts
  /** The request's size in tokens by our own estimate. */
  estimate(asking: Pick<Asking, 'step' | 'attempt'>): number
  /** The pictures that the request will show. */
  pictures(asking: Pick<Asking, 'step' | 'attempt'>): readonly Picture[]
  /** Steps must be requested in their order. */
  request(asking: Asking): Request
}

/** The text of a tool, which `model.requested` names by its hash; stored once under that hash. */
export function toolText(wire: WireTool): string {
  return JSON.stringify(wire)
}

const hashes = new WeakMap<WireTool, string>()

/** The hash of a tool's text. It is computed once, since the runs of one version share their tools. */
export function toolHash(wire: WireTool, hash: (text: string) => string): string {
  const known = hashes.get(wire)
  if (known !== undefined) return known
  const made = hash(toolText(wire))
  hashes.set(wire, made)
  return made
}

const nudge: Message = {
  role: 'user',
  text: 'Your last answer was empty. Answer now, in words or by calling a tool.',
}

/** Messages keep their identity from request to request, so codec and model encode each of them only once. */
export function createRequestWriter(state: RunState, deps: WireDeps): RequestWriter {
  const { model, hash } = deps
  const limits = limitsOf(deps.policies)
  const [question = { role: 'user', text: state.start.input }] = state.messages
  const view = pictureView(model.seesPictures === true)
  const withData = pictureFiller()
  const earlier = view(withoutResultPictures(pair(state.start.history)))
  const { kept, dropped } = windowOf(earlier, view([question])[0] ?? question, limits.history)
  const before = renumber(kept)
  const codecOf = createCodecs(deps)
  const instructions = fill(deps.instructions, state)
  const serverTexts = serverTextsIn(state) + skillLinesIn(state)
  const further = furtherStep(deps.nextStepPrompt, state)
  const asked = underOfferedName(limits.toolChoice, deps.tools)
  const cuts = createCuts(state)
  const own = ownMessages(state, view)
  const ownOf = ({ step, attempt }: Pick<Asking, 'step' | 'attempt'>) =>
    own(step.messagesBefore, cuts(step.number, attempt))
  const fixedTokens =
    estimateTokens(instructions + serverTexts) +
    [...before, ...recalledMessages(state)].reduce((sum, message) => sum + tokensOf(message), 0)
  const takesJson = acceptsJson(state)
  const noted = [...recalledMessages(state), ...noteMessage(noteIn(state.hooks))]
  const hints = stepHints(deps.tools)
  return {
    window: { kept: kept.length, dropped },
    codec: codecOf,
    cuts: ({ step, attempt }) => cuts(step.number, attempt),
    estimate: (asking) => fixedTokens + writtenSet(codecOf(asking.step), hash).tokens + ownOf(asking).tokens,
    pictures: (asking) => shownPictures([...before, ...ownOf(asking).messages]),
    request({ step, attempt, nudge: nudging, cacheKey, pictures = noPictures }) {
      const own = withLastMessage(ownOf({ step, attempt }).messages, hookedLastMessage(step))
      const [first, ...rest] = own
      const lasted = [...before, ...(first === undefined ? [] : [first]), ...noted, ...rest]
      const messages = [...withData(lasted, pictures)]
      const weight = pictureWeight(messages)
      const lasting = messages.length
      // These are for this request alone, so they follow everything that the next step repeats.
      if (step.summary) messages.push(closing(step))
      if (nudging) messages.push(nudge)
      if (further !== undefined && step.number > 1 && messages.at(-1)?.role !== 'user') messages.push(further)
      messages.push(...noteMessage(toolNotes(state, step)), ...noteMessage(hints(step)))
      messages.push(...noteMessage(noteIn(step.hooks)))
      const codec = codecOf(step)
      const { tools, wires } = writtenSet(codec, hash)
      const given = hookedInstructions(step.hooks) ?? hookedInstructions(state.hooks) ?? instructions
      const told = given + serverTexts + outputIn(deps, codec)
      // A provider caches requests from their first byte, so the tools stay where they were. They may only not be called.
      const offersTools = !step.summary || cacheKey !== undefined
      const isBarred = step.summary && offersTools && codec.offered.length > 0
      const toolChoice = isBarred ? 'none' : choiceIn(step, state, { asked, codec })
      const { json, ...encoded } = codec.encode({
        instructions: told,
        messages,
        offerTools: offersTools,
        ...(toolChoice === undefined ? {} : { toolChoice }),
        ...(cacheKey !== undefined && { hints: messages.length - lasting }),
      })
      const offered = offersTools ? tools : []
      return {
        body: model.encode({
          ...encoded,
          ...(json && takesJson(step, attempt) && { json }),
          plain: { messages, tools: step.summary ? [] : wires },
          step: step.number,
          attempt,
          ...(cacheKey !== undefined && { cacheKey }),
        }),
        ...(weight && { pictures: weight }),
        said: { instructions: told, messages },
        tools: offered,
        counts: { messages: encoded.messages.length, tools: offered.length },
      }
    },
  }
}

const noPictures: PictureData = new Map()

interface WrittenSet {
  readonly tools: EventOf<'model.requested'>['tools']
  readonly wires: readonly WireTool[]
  /** By our own estimate. */
  readonly tokens: number
}

const writtenSets = new WeakMap<Codec['offered'], WrittenSet>()

/** The tools of a codec as a request and its event have them. They are written once for all runs of a version. */
function writtenSet({ offered }: Codec, hash: RunDeps['hash']): WrittenSet {
  let set = writtenSets.get(offered)
  if (set === undefined) {
    set = {
      tools: offered.map(({ name, wire }) => ({ name, wireName: wire.name, hash: toolHash(wire, hash) })),
      wires: offered.map((each) => each.wire),
      tokens: offered.reduce((sum, { wire }) => sum + estimateTokens(toolText(wire)), 0),
    }
    writtenSets.set(offered, set)
  }
  return set
}

/**
 * Whether the provider still takes requests for JSON. Read from the events alone, so that a rebuilt request
 * is the same. Each earlier step is looked at once.
 */
function acceptsJson(state: RunState): (step: StepState, attempt: number) => boolean {
  let looked = 0
  let isRefused = false
  return (step, attempt) => {
    for (; !isRefused && looked < step.number - 1; looked++) {
      const before = state.steps[looked]
      isRefused = before !== undefined && refusedJson(before)
    }
    return !isRefused && !refusedJson(step, attempt)
  }
}

/** Only for this request: sent after the observations and kept in no history. */
function furtherStep(prompt: string | undefined, state: RunState): Message | undefined {
  if (prompt === undefined || prompt.trim() === '') return undefined
  return { role: 'user', text: fill(prompt, state) }
}

function outputIn({ output }: WireDeps, codec: Codec): string {
  return output === undefined
    ? ''
    : outputWords(
        output,
        codec.offered.some(({ name }) => name === finishName),
      )
}

/** What the tools of the step before want the model to know; undefined when they have no note. */
function toolNotes({ steps }: RunState, { number }: StepState): string | undefined {
  const notes = (steps[number - 2]?.calls ?? []).flatMap(({ name, note }) =>
    note === undefined ? [] : [`Note from the tool ${name}: ${note}`],
  )
  return notes.length === 0 ? undefined : notes.join('\n\n')
}

/** What the offered tools say before a step; undefined when they say nothing. */
function stepHints(tools: WireDeps['tools']): (step: StepState) => string | undefined {
  const hinting = tools.filter(({ hint }) => hint !== undefined)
  return ({ tools: record, plan, planEditedAt, summary, before }) => {
    // Nothing may come between an answer that was cut off and its continuation, and a closing answer calls no tool.
    if (hinting.length === 0 || summary || before !== undefined) return undefined
    const offered = new Set(record?.offered.map(({ name }) => name))
    const said = hinting.flatMap(({ name, hint }) =>
      offered.has(name) ? (hint?.(plan, planEditedAt !== undefined) ?? []) : [],
    )
    return said.length === 0 ? undefined : said.join('\n\n')
  }
}

/** What hooks and tools want the model to know; kept in no history. */
function noteMessage(text: string | undefined): Message[] {
  return text === undefined ? [] : [{ role: 'user', text }]
}

/** Replaces the text of the last message in this request only. */
function withLastMessage(messages: readonly Message[], text: string | undefined): readonly Message[] {
  const last = messages.at(-1)
  if (text === undefined || last === undefined || last.role === 'assistant') return messages
  return [...messages.slice(0, -1), { ...last, text }]
}

/** A policy names a tool as it is before its entry renames it. */
function underOfferedName(choice: ToolChoice | undefined, tools: WireDeps['tools']): ToolChoice | undefined {
  if (choice === undefined || typeof choice === 'string') return choice
  return { tool: tools.find(({ scopeName }) => scopeName === choice.tool)?.name ?? choice.tool }
}

interface Choosing {
  readonly asked: ToolChoice | undefined
  readonly codec: Codec
}

/**
 * The tool choice of the policies, where it can be followed. A model that had to make a call in every step
 * would never end, so it may choose freely once a step has had calls. A tool that is not offered cannot be
 * required.
 */
function choiceIn(step: StepState, state: RunState, { asked, codec }: Choosing): ToolChoice | undefined {
  if (asked === undefined || step.summary || codec.offered.length === 0) return undefined
  if (asked === 'auto' || asked === 'none') return asked
  const called = state.steps.find((each) => each.calls.length > 0)
  if (called !== undefined && called.number < step.number) return 'auto'
  if (asked === 'required' || codec.offered.some(({ name }) => name === asked.tool)) return asked
  return undefined
}

function closing({ maxSteps }: StepState): Message {
  const limit = `You have reached the limit of ${stepCount(maxSteps)}, and no tool can be called any more.`
  return { role: 'user', text: `${limit} Answer now as well as you can with what you have found.` }
}

/** Replaces both placeholders in one pass, so that inserted text is never read as a placeholder. */
function fill(text: string, state: RunState): string {
  return text.replace(/\{\{(date|name)\}\}/g, (_, word: string) =>
    word === 'date'
      ? new Date(state.forkedFrom?.startedAt ?? state.startedAt ?? 0).toISOString().slice(0, 10)
      : state.start.agent.name,
  )
}
