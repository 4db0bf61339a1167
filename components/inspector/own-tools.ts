/** The tools whose whole definition is in an entry, as a person can try them: requests, and code of one's own. */
import { globsOf } from '#lib/graph/scope'
import type { GraphNode } from '#lib/spec/graph'
import { isObject, isParameters, type JsonObject, type JsonSchema } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import { chosenClasses } from '#lib/spec/tool-class'
import type { TriedToolFace } from './try-tool'

/** None for an entry whose tools come from elsewhere, such as a server. */
export function ownTools({ config }: GraphNode, kind: NodeKind): TriedToolFace[] {
  const { scope, classChoice, toolClass } = kind
  if (scope === undefined) return []
  const classes = classChoice ? chosenClasses(classChoice, config) : [toolClass]
  return definitionsIn(config, kind).flatMap((each, index): TriedToolFace[] => {
    const name = globsOf(config, kind)[index]
    const { parameters = { type: 'object' }, description } = each
    if (name === undefined || !isObject(parameters) || !isParameters(parameters)) return []
    return [
      {
        name,
        description: typeof description === 'string' ? description : '',
        parameters: parameters as JsonSchema, // cast: as far as the form of such a schema was checked
        effect: classes[index]?.effect ?? 'effect',
        isOutside: classChoice !== undefined,
      },
    ]
  })
}

function definitionsIn(config: JsonObject, { scope, schema }: NodeKind): readonly JsonObject[] {
  if (scope?.name !== undefined) return schema.properties?.parameters === undefined ? [] : [config]
  const list = scope?.itemName === undefined || scope.list === undefined ? undefined : config[scope.list]
  return Array.isArray(list) ? list.filter(isObject) : []
}
