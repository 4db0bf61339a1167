/** The job of every contender, and the check that it was done completely. */

export const model = 'mock-1'
export const system = 'You are a coding agent. Use the tools to do the work, then answer.'

const pad = 'x'.repeat(180)
const text = (description) => ({ type: 'string', description })
const object = (properties) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

export const tools = [
  {
    name: 'act',
    description: 'Write a file and return a short report',
    parameters: object({ path: text('Path of the file'), content: text('Whole new content') }),
    exec: async ({ path, content }) => `ok ${path} ${content.length} ${pad}`,
  },
  ...Array.from({ length: 7 }, (_, index) => ({
    name: `tool_${index}`,
    description: `Another tool number ${index} that the model may call`,
    parameters: object({
      query: text('What to look for'),
      limit: { type: 'integer', description: 'How many' },
      mode: { type: 'string', enum: ['a', 'b', 'c'], description: 'Which mode' },
    }),
    exec: async () => 'ok',
  })),
]

/** The server reads its parameters from the question. */
export function questionOf({ rounds, calls, tokens, argBytes }) {
  return `rounds=${rounds} calls=${calls} tokens=${tokens} argBytes=${argBytes}`
}

const words = ['the ', 'quick ', 'brown ', 'fox ', 'jumps ', 'over ', 'a ', 'lazy ']
export const wordAt = (index) => words[index % words.length]

/** What was wrong in a run; empty if nothing was. */
export function faultsOf({ rounds, calls, tokens, argBytes }, heard) {
  let answer = ''
  for (let index = 0; index < tokens; index++) answer += wordAt(index)
  const prompts = Array.from({ length: rounds + 1 }, (_, round) => 100 + round)
  const expected = {
    text: answer.length,
    calls: rounds * calls,
    argBytes: rounds * calls * argBytes,
    results: rounds * calls,
    input: prompts.reduce((sum, each) => sum + each, 0),
  }
  return Object.entries(expected).flatMap(([key, value]) =>
    heard[key] === value ? [] : [`${key}: ${heard[key]} in place of ${value}`],
  )
}

export function nothingHeard() {
  return { text: 0, calls: 0, argBytes: 0, results: 0, input: 0 }
}
