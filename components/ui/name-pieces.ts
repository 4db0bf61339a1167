/**
 * Where a name is cut when there is no room for it: in its middle, since names often differ only at their ends. Words
 * such as `Shorten results` say more at their beginning, and are cut at their end.
 */

export interface NamePieces {
  /** What may lose its end. */
  readonly head: string
  /** What always stays. */
  readonly tail: string
  /** The whole name, or its two ends if it is long: for two or three lines of large letters. */
  readonly brief: string
}

/** A shorter name has no middle to lose. */
const leastToCut = 8
const shortTail = 3
const longTail = 4
const briefLength = 22

/** Letters that are written from right to left: their tail would have to stand at the left. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** Several words without a number at their end. */
const words = /\s.*\P{Number}$/su

/** Undefined for a name that is not cut in its middle. */
export function namePieces(name: string): NamePieces | undefined {
  if (name.length < leastToCut || words.test(name) || rightToLeft.test(name)) return undefined
  const letters = lettersOf(name)
  const { length } = letters
  if (length < leastToCut) return undefined
  const tail = length > 10 ? longTail : shortTail
  const part = (from: number, to?: number) => letters.slice(from, to).join('')
  const side = Math.floor((briefLength - 1) / 2)
  const brief = length > briefLength ? `${part(0, briefLength - 1 - side)}…${part(-side)}` : name
  return { head: part(0, -tail), tail: part(-tail), brief }
}

let segmenter: Intl.Segmenter | undefined

/** As a person counts them: an accent or a flag is not torn from what it belongs to. */
function lettersOf(text: string): string[] {
  if (/^[ -~]*$/.test(text)) return [...text]
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(text), (each) => each.segment)
}
