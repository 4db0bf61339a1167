/** What the providers share about pictures: whether a model sees them, and how one is written. */
import { longestMatch } from '#lib/spec/glob'
import type { Service } from '#lib/spec/model'
import type { Picture } from '#lib/spec/picture'

export function dataUrl({ mediaType, data = '' }: Picture): string {
  return `data:${mediaType};base64,${data}`
}

/** A person's setting decides; without one, what is known of the model does. */
export function seesPictures(
  { name, pictures }: { readonly name: string; readonly pictures?: 'send' | 'leave_out' | undefined },
  { seesPictures: known = {} }: Pick<Service, 'seesPictures'>,
): boolean {
  if (pictures !== undefined) return pictures === 'send'
  return longestMatch(known, name) ?? false
}
