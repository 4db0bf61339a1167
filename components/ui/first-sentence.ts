/** The first sentence of a text, for a place with room for one line. */
export function firstSentence(text: string): string {
  const [first = text] = text.split(/(?<=[.;:]) /, 1)
  return first.replace(/[;:]$/, '.')
}
