/** Options of `loopwright run` that change one run: the dialogue before its question, and settings of its agent. */
import { canonicalForHash } from '#lib/graph/canonical'
import { historyFrom } from '#lib/server/runs/given-history'
import { applyOverrides, sha256 } from '#lib/server/runs/run-config'
import type { Parts } from '#lib/spec/config'
import { AppError, type Result } from '#lib/spec/errors'
import type { JsonObject } from '#lib/spec/json'
import type { Message } from '#lib/spec/message'
import { inWords } from '#lib/wire/issues'
import { givenHistory } from '#lib/wire/messages'
import { type Overrides, overrides as overridesSchema } from '#lib/wire/runs'
import { catalogOf, nameOf, readJsonFile } from './agent-file'
import { type Given, textOption } from './command'
import type { Terminal } from './terminal'

/** The error is one sentence about the option that cannot be read. */
export function readOverrides(given: Given): Result<Overrides, string> {
  const maxSteps = numberIn(textOption(given, 'max-steps'))
  const temperature = numberIn(textOption(given, 'temperature'))
  const read = overridesSchema.safeParse({
    ...(maxSteps !== undefined && { maxSteps }),
    ...(temperature !== undefined && { temperature }),
  })
  if (read.success) return { ok: true, value: read.data }
  return read.error.issues[0]?.path[0] === 'maxSteps'
    ? { ok: false, error: '--max-steps must be a whole number from 1 to 1000.' }
    : { ok: false, error: '--temperature must be a number from 0 to 2.' }
}

/** NaN, which no schema accepts, for a text that is no number. */
function numberIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  return text.trim() === '' ? Number.NaN : Number(text)
}

/** Undefined once it has said why the agent does not accept an override. */
export function withOverrides(
  config: JsonObject,
  overrides: Overrides,
  { terminal, parts }: { terminal: Terminal; parts: Parts },
): JsonObject | undefined {
  if (Object.keys(overrides).length === 0) return config
  const catalog = catalogOf(parts)
  const hash = sha256(canonicalForHash(config, catalog.schema))
  try {
    const { text } = applyOverrides({ text: JSON.stringify(config), hash, origins: {} }, overrides, {
      catalog,
      parts,
    })
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    terminal.err(`${error.message}\n`)
    return undefined
  }
}

/** The messages in the file, none without a file; undefined once it has said what is wrong with it. */
export async function readHistory(
  file: string | undefined,
  terminal: Terminal,
): Promise<Message[] | undefined> {
  if (file === undefined) return []
  const read = await readJsonFile(file, terminal)
  if (!read.ok) {
    terminal.err(`${read.error}\n`)
    return undefined
  }
  const history = givenHistory.safeParse(read.value)
  if (history.success) return historyFrom(history.data)
  const [found] = history.error.issues.flatMap((issue) => inWords(issue, read.value))
  const place = [nameOf(file), ...(found?.path ? [found.path] : [])].join('/')
  terminal.err(`${place}: This is not a list of messages. ${found?.message ?? 'It cannot be read.'}\n`)
  return undefined
}
