/** Adds the examples to an empty database, once: an example that a person deletes later stays deleted. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isAppError } from '#lib/spec/errors'
import type { Stores } from '#lib/spec/store'
import { parseJson } from '#lib/wire/json'
import type { Agents } from './agents'

const key = 'examples'

/**
 * @param folder contains one agent config per JSON file
 * @param report called with one sentence for each example that cannot be imported
 */
export function seedExamples(
  { stores, agents }: { stores: Stores; agents: Agents },
  { folder, report }: { folder: string; report(sentence: string): void },
): void {
  if (stores.settings.get(key) !== undefined) return
  if (stores.agents.heads().length === 0) {
    for (const file of examplesIn(folder)) {
      const fault = take(agents, path.join(folder, file))
      if (fault !== undefined) report(`The example ${file} is left out: ${fault}`)
    }
  }
  stores.settings.set(key, true)
}

function examplesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()
  } catch {
    return []
  }
}

function take(agents: Agents, file: string): string | undefined {
  const parsed = parseJson(readFileSync(file, 'utf8'))
  if (!parsed.ok) return parsed.error
  try {
    agents.importFile(parsed.value, { rename: false })
    return undefined
  } catch (error) {
    if (isAppError(error)) return error.message
    throw error
  }
}
