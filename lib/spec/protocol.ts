/** What a protocol is: how tools are put to the model, and how its calls are read back. A pure codec. */
import type { Message } from './message'
import type { ModelChunk, ToolChoice, WireTool } from './model'
import type { BoundTool } from './toolkit'

/** Where the observation of a call goes in the next request. */
export type ResultPlacement = 'tool_message' | 'user_message' | 'inline' | 'xml'

/** The language of what a protocol itself says to the model. */
export type Locale = 'en' | 'zh'

export interface Encoded {
  readonly instructions: string
  readonly messages: readonly Message[]
  readonly tools: readonly WireTool[]
  /** With the tool's name on the wire; absent when there is nothing to choose. */
  readonly toolChoice?: ToolChoice
  /** The answer is to be one JSON object, as the instructions say. */
  readonly json?: true
}

export interface EncodeInput {
  readonly instructions: string
  readonly messages: readonly Message[]
  /** False for a step that must not call: the closing summary. */
  readonly offerTools: boolean
  /** With the tool's own name; absent when no policy says. */
  readonly toolChoice?: ToolChoice
}

/** Is told what an answer says, in its order: chunks with the tools' own names. */
export interface Listener {
  hear(chunk: ModelChunk): void
}

/** Reads one answer for a listener; nothing is scanned twice. */
export interface Decoder {
  /** The listener hears at once what can be told by now. */
  push(chunk: ModelChunk): void
  /** The stream has ended: the listener hears what was held back. */
  end(): void
  /** What was mended or left out while reading, in words for a person; grows as the answer comes. */
  readonly warnings?: readonly string[]
}

/** A protocol opened over the tools of one run. The same message object always encodes to the same object. */
export interface Codec {
  readonly format: string
  readonly resultPlacement: ResultPlacement
  /** The tools as offered, in order, with the names they have on the wire. */
  readonly offered: readonly { readonly name: string; readonly wire: WireTool }[]
  encode(input: EncodeInput): Encoded
  decoder(listener: Listener): Decoder
}

export interface Protocol {
  readonly id: string
  readonly label: string
  readonly help: string
  /** Legal placements; the first is the default. */
  readonly placements: readonly ResultPlacement[]
  /** `locale` is `en` unless said; formats that say nothing themselves do not look at it. */
  open(tools: readonly BoundTool[], resultPlacement: ResultPlacement, locale?: Locale): Codec
}
