/** What a protocol is: a pure codec that describes tools to the model and reads its calls back. */
import type { Message } from './message'
import type { ModelChunk, ToolChoice, WireTool } from './model'
import type { DescribedTool } from './toolkit'

/** Where the observation of a call is placed in the next request. */
export type ResultPlacement = 'tool_message' | 'user_message' | 'inline' | 'xml'

/** The language of the protocol's own text to the model. */
export type Locale = 'en' | 'zh'

export interface Encoded {
  readonly instructions: string
  readonly messages: readonly Message[]
  readonly tools: readonly WireTool[]
  /** With the tool's wire name; absent when there is nothing to choose. */
  readonly toolChoice?: ToolChoice
  /** The answer must be one JSON object, as the instructions say. */
  readonly json?: true
  /** As given, with what the format itself adds for this request alone. */
  readonly hints?: number
}

export interface EncodeInput {
  readonly instructions: string
  readonly messages: readonly Message[]
  /** False for a step without calls: the closing summary. */
  readonly offerTools: boolean
  /** With the tool's own name; absent when no policy sets it. */
  readonly toolChoice?: ToolChoice
  /**
   * How many of the last messages belong to this request alone. When given, everything else is written so that it
   * begins the request of the next step.
   */
  readonly hints?: number
}

/** Receives an answer in its order: chunks with the tools' own names. */
export interface Listener {
  hear(chunk: ModelChunk): void
}

/** Reads one answer for a listener, scanning each chunk once. */
export interface Decoder {
  /** Passes on at once what can already be decoded. */
  push(chunk: ModelChunk): void
  /** The stream has ended: passes on what was held back. */
  end(): void
  /** What was repaired or left out while reading, in words for a person; grows with the answer. */
  readonly warnings?: readonly string[]
}

/** A protocol opened over a set of tools. The same message object always encodes to the same object. */
export interface Codec {
  readonly format: string
  readonly resultPlacement: ResultPlacement
  /** The tools that the model is told of, in order, with their wire names. Calls of hidden ones are read too. */
  readonly offered: readonly { readonly name: string; readonly wire: WireTool }[]
  encode(input: EncodeInput): Encoded
  decoder(listener: Listener): Decoder
  /** The same protocol, opened over other tools. */
  over(tools: readonly DescribedTool[]): Codec
}

export interface Protocol {
  readonly id: string
  readonly label: string
  readonly help: string
  /** Legal placements; the first is the default. */
  readonly placements: readonly ResultPlacement[]
  /** The part of the instructions about one tool; absent where the provider has a form of its own for tools. */
  describe?(tool: DescribedTool, locale?: Locale): string
  /** `locale` defaults to `en`; formats without text of their own ignore it. */
  open(tools: readonly DescribedTool[], resultPlacement: ResultPlacement, locale?: Locale): Codec
}
