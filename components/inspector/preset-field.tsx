'use client'
/** Preset arguments, tool by tool: what is set here the model neither sees nor can change. */
import { useId, useState } from 'react'
import { isObject, toolsOf } from '#components/canvas/describe'
import { useGraph } from '#components/canvas/graph-context'
import { Button } from '#components/ui/button'
import { Property } from '#components/ui/field'
import type { CatalogTool } from '#lib/spec/catalog'
import type { GraphNode } from '#lib/spec/graph'
import type { JsonValue } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import { type Field, fieldsOf, withPreset } from './fields'
import { ListField } from './globs-field'
import { JsonField } from './json-field'
import styles from './preset-field.module.css'
import { type Change, ScalarField } from './scalar-field'

export interface PresetProps {
  node: GraphNode
  kind: NodeKind
  label: string
  hint: string
  error: string | undefined
  value: JsonValue | undefined
  onChange: Change
}

/** Tools whose arguments the catalog knows get a field each; anything else is edited as JSON. */
export function PresetField({ node, kind, label, hint, error, value, onChange }: PresetProps) {
  const id = useId()
  const catalog = useGraph((state) => state.catalog)
  const tools = toolsOf(node, kind, catalog).filter((each) => fieldsOf(each.parameters, {}).length > 0)
  const stray = isObject(value)
    ? Object.keys(value).filter((name) => !tools.some((each) => each.name === name))
    : []
  if (tools.length === 0 || stray.length > 0)
    return <JsonField id={id} label={label} hint={hint} error={error} value={value} onChange={onChange} />
  return (
    <div className={styles.presets}>
      <span className={styles.label}>{label}</span>
      {tools.map((tool) => (
        <ToolPreset
          key={tool.name}
          tool={tool}
          isOnly={tools.length === 1}
          value={value}
          onChange={onChange}
        />
      ))}
      {error !== undefined ? (
        <p className={styles.error} role="alert">
          {error}
        </p>
      ) : (
        <p className={styles.hint}>{hint}</p>
      )}
    </div>
  )
}

function ToolPreset({
  tool,
  isOnly,
  value,
  onChange,
}: {
  tool: CatalogTool
  isOnly: boolean
  value: JsonValue | undefined
  onChange: Change
}) {
  const own = isObject(value) && isObject(value[tool.name]) ? value[tool.name] : undefined
  const set = isObject(own) ? own : {}
  const [isOpen, setOpen] = useState(isOnly || Object.keys(set).length > 0)
  const change = (key: string) => (next: JsonValue | undefined) =>
    onChange(withPreset(value, tool.name, key, next === '' ? undefined : next))
  return (
    <div className={styles.tool}>
      {!isOnly && (
        <Button
          variant="quiet"
          size="s"
          icon={isOpen ? 'chevron-down' : 'chevron-right'}
          aria-expanded={isOpen}
          className={styles.open}
          onClick={() => setOpen(!isOpen)}
        >
          {tool.name}
        </Button>
      )}
      {isOpen &&
        fieldsOf(tool.parameters, set).map((field) => (
          <PresetArgument key={field.key} field={field} value={set[field.key]} onChange={change(field.key)} />
        ))}
    </div>
  )
}

function PresetArgument({
  field,
  value,
  onChange,
}: {
  field: Field
  value: JsonValue | undefined
  onChange: Change
}) {
  const id = useId()
  // An argument is called by its own name here, for that is what stands in the file and in the trace.
  const named = { ...field, label: field.key, hint: '' }
  if (named.control === 'multiline')
    return (
      <ScalarField
        id={id}
        field={{ ...named, control: 'text' }}
        value={value}
        error={undefined}
        onChange={onChange}
        placeholder="left to the model"
      />
    )
  if (named.control === 'text' || named.control === 'number' || named.control === 'select') {
    return (
      <ScalarField
        id={id}
        field={named}
        value={value}
        error={undefined}
        onChange={onChange}
        placeholder="left to the model"
      />
    )
  }
  if (named.control === 'list' || named.control === 'globs') {
    return (
      <Property label={named.label} htmlFor={id}>
        <ListField
          id={id}
          value={value}
          onChange={(next) => onChange(isEmptyList(next) ? undefined : next)}
        />
      </Property>
    )
  }
  return <JsonField id={id} label={named.label} hint="" error={undefined} value={value} onChange={onChange} />
}

const isEmptyList = (value: JsonValue | undefined) => Array.isArray(value) && value.length === 0
