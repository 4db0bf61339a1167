/** What the formats without native function calls share: everything is sent to the model as text. */
import { isObject, type JsonObject, tryParseJson } from '#lib/spec/json'
import type { Message, Part } from '#lib/spec/message'
import type { ToolChoice, WireTool } from '#lib/spec/model'
import type { Codec, Locale, Protocol, ResultPlacement } from '#lib/spec/protocol'
import type { DescribedTool, XmlForm } from '#lib/spec/toolkit'
import { isShown } from './is-shown'
import { wireNames } from './names'
import { Out } from './out'
import { type Parameters, parametersOf } from './parameter-kinds'
import { type Machine, Reader } from './reader'
import { fencedResults, goOn, type ToolMessage, taggedResults } from './results'
import { harmless } from './xml-tags'

export interface Section {
  readonly tools: readonly WireTool[]
  readonly locale: Locale
  readonly placement: ResultPlacement
}

export interface TextFormat extends Pick<Protocol, 'id' | 'label' | 'help'> {
  /**
   * Whether results are written in tags, as the format's calls are; otherwise they
   * are written under headings.
   */
  readonly isTagged: boolean
  /** Whether every answer is one JSON object and nothing else. */
  readonly isJson?: true
  /** The part of the instructions that describes the tools and the format. */
  section(section: Section): string
  /** The part of it about one tool. */
  describe(tool: WireTool, locale: Locale): string
  /**
   * An earlier answer as the model would write it. If the text does not hold the reasoning, that is
   * sent as a separate part.
   */
  answer(parts: readonly Part[]): { readonly text: string; readonly holdsReasoning: boolean }
  /** A call in the form that its tool declares; absent where the format has only its general form. */
  declared?(form: XmlForm, args: JsonObject): string
  machine(out: Out, tools: Tools): Machine
}

/** The offered tools, by their own names. */
export interface Tools {
  readonly parameters: ReadonlyMap<string, Parameters>
  toName(wire: string): string
}

export function textProtocol(format: TextFormat): Protocol {
  const { id, label, help } = format
  return {
    id,
    label,
    help,
    placements: ['user_message', 'inline', 'xml'],
    open: (tools, resultPlacement, locale = 'en') => {
      const way = { resultPlacement, locale }
      return openText(format, tools, way, turns(format, way))
    },
    describe: (tool, locale = 'en') => format.describe(wireOf(format, tool), locale),
  }
}

interface Way {
  readonly resultPlacement: ResultPlacement
  readonly locale: Locale
}

type EncodeMessages = (messages: readonly Message[]) => readonly Message[]

/** `encodeMessages` does not depend on the tools, so one is enough for all sets of them. */
function openText(
  format: TextFormat,
  tools: readonly DescribedTool[],
  way: Way,
  encodeMessages: EncodeMessages,
): Codec {
  const names = wireNames(tools.map((each) => each.name))
  const parameters = new Map(tools.map((each) => [each.name, parametersOf(each.parameters)]))
  const own = new Map(
    format.declared === undefined ? [] : tools.flatMap(({ name, xml }) => (xml ? [[xml.name, name]] : [])),
  )
  // A tool's own name wins over the name that another one declares.
  const toName = (wire: string) => {
    const name = names.toName(wire)
    return parameters.has(name) ? name : (own.get(wire) ?? name)
  }
  const offered = tools.filter(isShown).map((tool) => ({ name: tool.name, wire: wireOf(format, tool) }))
  const { resultPlacement, locale } = way
  const wires = offered.map((each) => each.wire)
  const section =
    wires.length === 0 ? '' : format.section({ tools: wires, locale, placement: resultPlacement })
  return {
    format: format.id,
    resultPlacement,
    offered,
    encode: ({ instructions, messages, offerTools, toolChoice, hints }) => {
      const isJson = format.isJson === true && offerTools && section !== ''
      const choice = offerTools ? choiceIn(toolChoice, locale) : ''
      const told = [instructions, offerTools ? section : '', hints === undefined ? choice : '']
      // The choice may change from step to step, so it follows what does not.
      const last: Message[] = hints === undefined || choice === '' ? [] : [{ role: 'user', text: choice }]
      return {
        instructions: told.filter((each) => each !== '').join('\n\n'),
        messages: [...encodeMessages(messages), ...last],
        tools: [],
        ...(isJson && { json: true }),
        ...(hints !== undefined && { hints: hints + last.length }),
      }
    },
    decoder: (listener) => {
      const out = new Out(listener, toName)
      return new Reader(names, out, format.machine(out, { parameters, toName }))
    },
    over: (others) => openText(format, others, way, encodeMessages),
  }
}

function wireOf(format: TextFormat, tool: DescribedTool): WireTool {
  const { name, description, parameters, example, xml } = tool
  const form = xml && format.declared?.(xml, placeholders(parameters))
  return {
    name,
    description,
    parameters,
    ...(form !== undefined && { form }),
    ...(example !== undefined && { example: exampleIn(format, tool, example) }),
  }
}

/** A value to be filled in for each parameter. */
function placeholders({ properties = {} }: DescribedTool['parameters']): JsonObject {
  return Object.fromEntries(Object.keys(properties).map((key) => [key, '…']))
}

/** Arguments become a call as the model is to write it; any other text stays as it is. */
function exampleIn({ answer, declared }: TextFormat, { name, xml }: DescribedTool, example: string): string {
  const args = tryParseJson(example)
  if (!isObject(args)) return example
  if (xml !== undefined && declared !== undefined) return declared(xml, args)
  return answer([{ type: 'call', id: 'call_1', name, args, rawArgs: example }]).text
}

function choiceIn(choice: ToolChoice | undefined, locale: Locale): string {
  if (choice === undefined || choice === 'auto') return ''
  const isChinese = locale === 'zh'
  if (choice === 'none') return isChinese ? '这一步不要调用任何工具。' : 'Call no tool in this step.'
  if (choice === 'required')
    return isChinese ? '这一步必须至少调用一个工具。' : 'Call at least one tool in this step.'
  return isChinese ? `这一步必须调用工具 ${choice.tool}。` : `Call the tool ${choice.tool} in this step.`
}

type Answer = Extract<Message, { role: 'assistant' }>

interface Turn {
  readonly results: readonly ToolMessage[]
  readonly encoded: readonly Message[]
}

/** Caches the encoding of an answer with its results: the same messages give the same objects. */
function turns(format: TextFormat, way: Way): EncodeMessages {
  const known = new WeakMap<Message, Turn>()
  return (messages) => {
    const encoded: Message[] = []
    for (let at = 0; at < messages.length; ) {
      const message = messages[at]
      if (message === undefined) break
      if (message.role === 'user') {
        encoded.push(message)
        at += 1
        continue
      }
      const answer = message.role === 'assistant' ? message : undefined
      const results = resultsFrom(messages, answer === undefined ? at : at + 1)
      let turn = known.get(message)
      if (turn === undefined || !isSame(turn.results, results)) {
        turn = { results, encoded: encodeTurn(format, way, { answer, results }) }
        known.set(message, turn)
      }
      encoded.push(...turn.encoded)
      at += results.length + (answer === undefined ? 0 : 1)
    }
    return encoded
  }
}

function resultsFrom(messages: readonly Message[], from: number): ToolMessage[] {
  const results: ToolMessage[] = []
  for (let at = from; at < messages.length; at++) {
    const message = messages[at]
    if (message?.role !== 'tool') break
    results.push(message)
  }
  return results
}

function isSame(one: readonly ToolMessage[], other: readonly ToolMessage[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index])
}

interface Said {
  readonly answer: Answer | undefined
  readonly results: readonly ToolMessage[]
}

function encodeTurn(
  format: TextFormat,
  { resultPlacement, locale }: Way,
  { answer, results }: Said,
): Message[] {
  const { text, holdsReasoning } = format.answer(withoutAfterword(answer?.parts ?? []))
  const kept = (answer?.parts ?? []).filter(
    ({ type }) => type === 'opaque' || (type === 'reasoning' && !holdsReasoning),
  )
  const saying = (words: string): Message[] => {
    const parts: Part[] = words === '' ? kept : [...kept, { type: 'text', text: words }]
    return parts.length === 0 ? [] : [{ role: 'assistant', parts }]
  }
  if (results.length === 0) return saying(text)
  const isTagged = resultPlacement === 'xml' || (resultPlacement === 'user_message' && format.isTagged)
  const told = isTagged
    ? taggedResults(results)
    : fencedResults(format.isTagged ? results.map(asHarmless) : results, locale)
  if (resultPlacement === 'user_message') return [...saying(text), { role: 'user', text: told }]
  return [...saying(text === '' ? told : `${text}\n\n${told}`), { role: 'user', text: goOn(locale) }]
}

function asHarmless(message: ToolMessage): ToolMessage {
  return { ...message, text: harmless(message.text) }
}

/**
 * Drops text that a model wrote after its calls, since it cannot have known the results. The text stays
 * on record but is not sent.
 */
function withoutAfterword(parts: readonly Part[]): readonly Part[] {
  const last = parts.findLastIndex((each) => each.type === 'call')
  return last < 0 ? parts : parts.filter(({ type }, index) => index <= last || type !== 'text')
}
