/** Keeps an observation that is too long for the model or an event, and makes its short form. */
import { type Artifact, maxKeptBytes } from '#lib/spec/artifact'
import type { Block } from '#lib/spec/message'
import { withoutBlobs } from './blobs'
import { headAndTail, maxBlocksChars, type Observation, shortText, type Whole } from './observe'

export interface Shortened extends Observation {
  /** The artifact with the whole observation, when it was too long. */
  readonly artifact?: string
}

/** Keeps the text as an artifact; undefined where nothing is kept. */
export type Keep = (text: string) => Promise<Artifact | undefined>

/**
 * The observation as it is stored and sent to the model; `text` holds at most `maxChars` code points of it.
 */
export async function shortenForModel(whole: Whole, maxChars: number, keep: Keep): Promise<Shortened> {
  const lean = leanOf(whole)
  const { text } = lean
  const weight = JSON.stringify(whole.blocks).length
  const short = shortText(lean, maxChars)
  if (short === text && weight <= maxBlocksChars) return { blocks: whole.blocks, text }
  const kept = within(whole.text, maxKeptBytes)
  const artifact = await keep(kept)
  if (artifact === undefined) {
    const blocks: Block[] = weight > maxKeptBytes ? [{ type: 'text', text: kept }] : whole.blocks
    return { blocks, text: short }
  }
  const keptPart = kept === whole.text ? 'the whole is' : `the first ${maxKeptBytes / 2 ** 20} MiB are`
  const shown = headAndTail(text, maxChars, `${keptPart} artifact ${artifact.id}`)
  const blocks: Block[] = weight > maxBlocksChars ? [{ type: 'text', text: shown }] : whole.blocks
  return { blocks, text: shown, artifact: artifact.id }
}

function leanOf({ text, last }: Whole): Pick<Whole, 'text' | 'last'> {
  if (last === undefined) return { text: withoutBlobs(text) }
  const end = withoutBlobs(last)
  return { text: `${withoutBlobs(text.slice(0, -last.length - 1))}\n${end}`, last: end }
}

/** Cuts the text to at most this many bytes, at a code point. */
function within(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxBytes) return text
  return new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\uFFFD{1,3}$/, '')
}
