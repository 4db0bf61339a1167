/** Finds the line of a config path in its file, so that an error can name it. Pure. */
import { placesAlong } from '#lib/spec/json-text'

/**
 * The line, from 1, on which `path` (`tools/0/use`) begins in a JSON text. If the path does not exist, the
 * line of its nearest existing ancestor. Undefined when the text contains no value. Invalid JSON is read as
 * far as possible.
 */
export function lineOf(text: string, path: string): number | undefined {
  const nearest = placesAlong(text, path.split('/').filter(Boolean)).at(-1)
  return nearest === undefined ? undefined : text.slice(0, nearest.from).split('\n').length
}
