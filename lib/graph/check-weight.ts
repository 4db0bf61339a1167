/** Checks that all patterns of an agent together stay within their limit. */
import type { Diagnostic } from '#lib/spec/errors'
import { overweight, type PatternList } from '#lib/spec/glob'
import type { Drawing } from './drawing'
import { textsOf } from './equal'
import { kindOf } from './kinds'

export function checkWeight(drawing: Drawing): Diagnostic[] {
  const found = overweight(patternLists(drawing))
  if (found === undefined) return []
  const { node, path } = found.list
  return [{ severity: 'error', code: 'config_invalid', message: `${found.message}.`, node, path }]
}

/** Whether the patterns are light enough to be matched against the names of all tools. */
export function isWithinWeight(drawing: Drawing): boolean {
  return overweight(patternLists(drawing)) === undefined
}

function* patternLists({ lists, catalog, paths }: Drawing): Generator<PatternList & { node: string }> {
  for (const node of [...lists.values()].flat()) {
    const settings = kindOf(catalog, node.kind)?.schema.properties ?? {}
    for (const [key, { format, patterns }] of Object.entries(settings)) {
      if (format !== 'globs' && patterns !== true) continue
      yield { node: node.id, path: `${paths.get(node.id)}/${key}`, globs: textsOf(node.config[key]) }
    }
  }
}
