/** The job of every contender, and the check that it was done completely. */

export const model = 'bench-1'
export const instructions = 'You are careful with numbers. Calculate with the tool, then answer.'
export const question = 'Work out the five sums.'
export const rounds = 5
export const answer = 'The five sums are worked out, and each of them came from the tool, as it should be.'

export const expressionOf = (round) => `(12.5 + ${round}) * 2`
export const resultOf = (round) => String((12.5 + round) * 2)

/** Throws unless these are the results of the calls, in their order, and this is the answer. */
export function check({ results, text }) {
  const expected = Array.from({ length: rounds }, (_, round) => resultOf(round))
  if (results.join() !== expected.join()) throw new Error(`results ${results.join()}, not ${expected.join()}`)
  if (text !== answer) throw new Error(`the answer was "${text}"`)
}

/** Calls `hear` with the JSON text of each event of a stream. */
export async function readEvents(body, hear) {
  const decoder = new TextDecoder()
  let held = ''
  for await (const bytes of body) {
    held += decoder.decode(bytes, { stream: true })
    let from = 0
    for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n', from)) {
      if (held.startsWith('data: {', from)) hear(held.slice(from + 6, end))
      from = end + 1
    }
    held = held.slice(from)
  }
}
