/** Words of a question that can only be values of the data: "Germany", "New York", quoted text. */
import { isTimeWord } from './period'
import type { ReadQuestion } from './question'
import type { Word } from './words'

const plain = new Set(
  `i sql db id ok us me it them that this these those there here total sum all stock each every which what who whom whose how when where why
  our my your their his her the a an general detail average mean most least top best last next past recent first year month week day date time
  sale order money figure number percent dollar euro usd eur and or not no any some one two three four five six seven eight nine ten
  today yesterday tomorrow now life fact short please is are was were be been do did doe has have had more than between least`.split(
    /\s+/,
  ),
)

const atMost = 3

/** In their order, each once. */
export function valuesIn({ words, mentions }: ReadQuestion): string[] {
  const named = new Set(
    mentions.flatMap((each) => Array.from({ length: each.length }, (_, index) => each.at + index)),
  )
  // "blood group A": right after a column, even the shortest word is a value.
  const afterText = new Set(
    mentions.filter((each) => each.column?.kind === 'text').map((each) => each.at + each.length),
  )
  const free = (at: number) => {
    const word = words[at]
    return (
      word !== undefined &&
      !word.quoted &&
      !named.has(at) &&
      !plain.has(word.stem) &&
      !isTimeWord(word.raw.toLowerCase()) &&
      !/^\d/.test(word.raw)
    )
  }
  const values: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === undefined) break
    if (word.quoted || (afterText.has(at) && !named.has(at) && isName(word))) values.push(word.raw)
    else if (free(at) && isName(word)) {
      let end = at + 1
      while (free(end) && isName(words[end])) end++
      values.push(
        words
          .slice(at, end)
          .map((each) => each.raw)
          .join(' '),
      )
      at = end - 1
    } else if (free(at) && /^(in|from|at|for)$/.test(words[at - 1]?.stem ?? '')) values.push(word.raw)
  }
  return [...new Set(values)].slice(0, atMost)
}

/** A capital letter marks a name, except at the start of a sentence. */
function isName(word: Word | undefined): boolean {
  return word !== undefined && !word.first && /^\p{Lu}/u.test(word.raw)
}
