'use client'
/** Preset arguments, tool by tool: the model can neither see nor change what is set here. */
import { useState } from 'react'
import { useGraph } from '#components/drawing/graph-context'
import { Icon } from '#components/ui/icon'
import { entryTools } from '#lib/graph/entry-tools'
import type { CatalogTool } from '#lib/spec/catalog'
import type { GraphNode } from '#lib/spec/graph'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import type { Change, ControlProps } from './change'
import { type Field, fieldsOf, withPreset } from './fields'
import { JsonField } from './json-field'
import { Nested } from './nested'
import styles from './preset-field.module.css'
import { SchemaForm } from './schema-form'

interface PresetProps extends ControlProps {
  readonly path: string
  readonly node: GraphNode
  readonly kind: NodeKind
}

/** Tools whose arguments the catalog knows get a field for each; anything else is edited as JSON. */
export function PresetField({ node, kind, ...control }: PresetProps) {
  const { path, label, hint, error, value, onChange } = control
  const catalog = useGraph((state) => state.catalog)
  const tools = entryTools(node, kind, catalog).filter((each) => fieldsOf(each.parameters, {}).length > 0)
  const held = isObject(value) ? value : {}
  const stray = Object.keys(held).some((name) => !tools.some((each) => each.name === name))
  if (tools.length === 0 || stray) return <JsonField {...control} />
  return (
    <Nested label={label} hint={hint} error={error}>
      {tools.map((tool) => (
        <ToolPreset key={tool.name} tool={tool} value={held} path={path} onChange={onChange} />
      ))}
    </Nested>
  )
}

interface ToolPresetProps {
  readonly tool: CatalogTool
  readonly value: JsonObject
  readonly path: string
  readonly onChange: Change
}

function ToolPreset({ tool, value, path, onChange }: ToolPresetProps) {
  const own = value[tool.name]
  const set = isObject(own) ? own : {}
  const count = Object.keys(set).length
  const [isOpen, setOpen] = useState(count > 0)
  return (
    <div className={styles.tool}>
      <button type="button" aria-expanded={isOpen} className={styles.open} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
        <span className={styles.name}>{tool.name}</span>
        {count > 0 && <span className={styles.count}>{count} set</span>}
      </button>
      {isOpen && (
        <SchemaForm
          schema={tool.parameters}
          value={set}
          findings={[]}
          path={`${path}/${tool.name}`}
          unset="left to the model"
          adapt={(field) => asArgument(field, set[field.key] !== undefined)}
          onChange={(key, next) =>
            onChange(withPreset(value, tool.name, key, isNothing(next) ? undefined : next))
          }
        />
      )}
    </div>
  )
}

/** An argument is labelled by its name, as in the file and in the trace; a preset has no default. */
function asArgument(field: Field, isSet: boolean): Field {
  const named = { ...field, label: field.key, hint: isSet ? 'Set by you, so hidden from the model.' : '' }
  const free = { ...named, fallback: undefined, isRequired: false }
  return free.control === 'multiline' ? { ...free, control: 'text' } : free
}

const isNothing = (value: JsonValue | undefined) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
