/** Adds the examples to an empty database, once: an example that a person deletes later stays deleted. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isAppError } from '#lib/spec/errors'
import { isObject } from '#lib/spec/json'
import type { Stores } from '#lib/spec/store'
import { parseJson } from '#lib/wire/json'
import type { Agents } from './agents'
import { type FirstRun, prepareFirstRun } from './first-run'

const key = 'examples'

/**
 * @param folder contains one agent config per JSON file
 * @param firstRun how the examples are prepared for a first run; without it they stay as they are
 * @param report called with one sentence for each example that cannot be imported
 */
export function seedExamples(
  { stores, agents }: { stores: Stores; agents: Agents },
  {
    folder,
    firstRun,
    report,
  }: { folder: string; firstRun?: FirstRun | undefined; report(sentence: string): void },
): void {
  if (stores.settings.get(key) !== undefined) return
  if (stores.agents.heads().length === 0) {
    for (const file of examplesIn(folder)) {
      const fault = take(agents, path.join(folder, file), firstRun)
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

function take(agents: Agents, file: string, firstRun: FirstRun | undefined): string | undefined {
  const parsed = parseJson(readFileSync(file, 'utf8'))
  if (!parsed.ok) return parsed.error
  try {
    const { value } = parsed
    agents.importFile(isObject(value) ? prepareFirstRun(value, firstRun) : value, { rename: false })
    return undefined
  } catch (error) {
    if (isAppError(error)) return error.message
    throw error
  }
}
