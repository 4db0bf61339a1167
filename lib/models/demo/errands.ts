/** Questions that the demo answers with a short program or a file: the samples of the agents that come with it. */
import type { WireTool } from '#lib/spec/model'
import { callOne, type Steps } from './steps'

interface Program {
  readonly code: string
  readonly purpose: string
  say(result: string): string
}

/** Undefined if no rule fits, or the tool it needs is not offered. */
export function answerErrand(question: string, tools: readonly WireTool[]): Steps | undefined {
  const run = tools.find(({ name, parameters }) => /javascript/i.test(name) && parameters.properties?.code)
  const program = findProgram(question)
  if (run !== undefined && program !== undefined) return runProgram(run.name, program)
  const create = tools.find(
    ({ name, parameters: { properties } }) => /create/i.test(name) && properties?.path && properties.content,
  )
  const file = findFile(question)
  return create === undefined || file === undefined ? undefined : writeFile(create.name, file)
}

function* runProgram(name: string, { code, purpose, say }: Program): Steps {
  const { text, isError } = yield* callOne(
    `I write a program that ${purpose}.`,
    { name, args: { code } },
    true,
  )
  return isError ? `My program failed: ${text}` : say(text.trim())
}

function findProgram(question: string): Program | undefined {
  const [, nth = ''] = /\b(\d{1,4})(?:st|nd|rd|th) fibonacci number/i.exec(question) ?? []
  if (nth !== '')
    return {
      purpose: 'adds up the Fibonacci numbers',
      code: `let [before, now] = [0n, 1n]\nfor (let n = 1; n < ${nth}; n++) [before, now] = [now, before + now]\nreturn String(now)`,
      say: (result) => `Fibonacci number ${nth} is ${result.replaceAll('"', '')}.`,
    }
  const [, from = '', to = ''] = /\bfridays? the 13th\b.*?\b(\d{4})\b.*?\b(\d{4})\b/i.exec(question) ?? []
  if (from !== '')
    return {
      purpose: 'looks at the 13th of every month',
      code: `let count = 0\nfor (let year = ${from}; year <= ${to}; year++)\n  for (let month = 0; month < 12; month++)\n    if (new Date(Date.UTC(year, month, 13)).getUTCDay() === 5) count++\nreturn count`,
      say: (result) => `From ${from} to ${to} there are ${result} Fridays the 13th.`,
    }
  return undefined
}

interface NamedFile {
  readonly path: string
  readonly content: string
}

function findFile(question: string): NamedFile | undefined {
  const found =
    /\b(?:write|create|make|save)\b[^"“]*\bfile\s+["“]([^"”]+)["”][^"“]*\b(?:text|content|words|saying|containing)\b[^"“]*["“]([^"”]*)["”]/i
  const [, path = '', content = ''] = found.exec(question) ?? []
  return path === '' ? undefined : { path, content }
}

function* writeFile(name: string, { path, content }: NamedFile): Steps {
  const { text, isError } = yield* callOne(`I write ${path}.`, { name, args: { path, content } }, true)
  return isError ? `${path} was not written: ${text}` : `I wrote "${content}" into ${path}.`
}
