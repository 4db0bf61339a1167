/** The tools of one entry of a config, opened so that a person can try them. */
import type { Parts, ToolEntry } from '#lib/spec/config'
import { AppError, type Diagnostic } from '#lib/spec/errors'
import type { JsonObject } from '#lib/spec/json'
import { openEntry } from '#lib/toolkits/entry'
import { readConfig } from '../agents/catalog'
import type { TriableTool } from './try-tool'

/** Keys that change what a model sees, which a person who tries a tool does not need. */
const forModels = ['preset', 'rename', 'description', 'group'] as const

/** Throws `invalid_config` for an entry with errors, whose paths are within the entry. */
export async function openForTrial(given: JsonObject, parts: Parts): Promise<readonly TriableTool[]> {
  const read = readConfig({ name: 'trial', tools: [given] }, parts)
  if (!read.ok) throw unfit(read.error)
  const [entry] = read.value.tools
  const toolkit = parts.toolkits.find(({ id }) => id === entry?.use)
  if (entry === undefined || toolkit === undefined) throw unfit([])
  const opened = await openEntry({ toolkit, entry: plainEntry(entry), index: 0 }, { tools: parts.tools })
  if (!opened.ok) throw unfit(opened.error)
  return opened.value
}

function plainEntry(entry: ToolEntry): ToolEntry {
  const left = Object.entries(entry).filter(
    ([key, value]) => !forModels.some((each) => each === key) || typeof value === 'string',
  )
  return { ...Object.fromEntries(left), use: entry.use, preset: {} }
}

function unfit(found: readonly Diagnostic[]): AppError {
  const [first] = found
  const path = first?.path?.replace(/^tools\/0\/?/, '')
  return new AppError('invalid_config', first?.message ?? 'There is no tool to try.', {
    ...(path !== undefined && path !== '' && { path }),
  })
}
