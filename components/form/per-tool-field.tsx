'use client'
/** A value for each tool of an entry, by the tool's name: another description, another name, a weight. */
import { useGraph } from '#components/drawing/graph-context'
import { entryTools } from '#lib/graph/entry-tools'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphNode } from '#lib/spec/graph'
import { isObject, type JsonSchema } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import type { ControlProps } from './change'
import { type Field, type FieldFinding, withKey } from './fields'
import { JsonField } from './json-field'
import { Nested } from './nested'
import { SchemaForm } from './schema-form'

interface PerToolProps extends ControlProps {
  readonly field: Extract<Field, { control: 'per-tool' }>
  readonly path: string
  readonly node: GraphNode
  readonly kind: NodeKind
  readonly findings: readonly FieldFinding[]
}

/** One row for each tool. Values for tools that the entry does not offer are edited as JSON. */
export function PerToolField({ field, node, kind, findings, ...control }: PerToolProps) {
  const catalog = useGraph((state) => state.catalog)
  const { label, hint, error, path, value, onChange } = control
  const names = toolsIn(node, kind, catalog)
  const held = isObject(value) ? value : {}
  const hasStrays = Object.keys(held).some((name) => !names.includes(name))
  if (names.length === 0 || hasStrays) return <JsonField {...control} />
  const [only, ...others] = names
  const rows = (
    <SchemaForm
      schema={rowsFor(names, field.values, others.length === 0 ? { title: label, description: hint } : {})}
      value={held}
      findings={findings}
      path={path}
      unset={field.values.default === undefined ? field.unset : undefined}
      onChange={(name, next) => {
        const after = withKey(held, name, next === '' ? undefined : next)
        onChange(Object.keys(after).length === 0 ? undefined : after)
      }}
    />
  )
  if (only !== undefined && others.length === 0) return rows
  return (
    <Nested label={label} hint={hint} error={findings.length === 0 ? error : undefined}>
      {rows}
    </Nested>
  )
}

/** The names of the tools: those that match the patterns of the entry, or the one name that it gives. */
function toolsIn(node: GraphNode, kind: NodeKind, catalog: Catalog): string[] {
  const own = kind.scope?.name === undefined ? undefined : node.config[kind.scope.name]
  if (typeof own === 'string' && own !== '') return [own]
  return entryTools(node, kind, catalog).map(({ name }) => name)
}

function rowsFor(names: readonly string[], values: JsonSchema, about: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { ...values, title: name, ...about }])),
  }
}
