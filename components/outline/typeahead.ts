/** Going to a row of the outline by the first letters of its title. */
import type { OutlineRow } from './outline-rows'

/** A pause longer than this begins a new word. */
const pause = 700

/** The letters typed so far; after a pause there are none. */
export interface Typed {
  letters(now: number): string
  /** Adds a letter and returns all of them. */
  add(letter: string, now: number): string
  /** The row of the last letter is on the screen: the pause begins only now, however slow the page was. */
  shown(now: number): void
}

export function createTyped(): Typed {
  let letters = ''
  let last = 0
  const known = (now: number) => (now - last > pause ? '' : letters)
  return {
    letters: known,
    add(letter, now) {
      letters = known(now) + letter.toLowerCase()
      last = now
      return letters
    },
    shown(now) {
      last = now
    },
  }
}

/** The next row whose title begins with the letters; one letter again and again walks through all of them. */
export function rowThatBegins(
  rows: readonly Pick<OutlineRow, 'key' | 'title'>[],
  current: string | null,
  letters: string,
): string | undefined {
  const [first = ''] = letters
  const isRepeated = letters.length > 1 && letters === first.repeat(letters.length)
  const wanted = isRepeated ? first : letters
  const at = Math.max(
    0,
    rows.findIndex((each) => each.key === current),
  )
  // A word that is still growing may go on matching the current row; its first letter goes to the next.
  const from = at + (wanted.length === 1 ? 1 : 0)
  const turned = [...rows.slice(from), ...rows.slice(0, from)]
  return turned.find((each) => each.title.toLowerCase().startsWith(wanted))?.key
}
