'use client'
/** The settings of a node as a property list, made from its kind's JSON Schema. Every edit is checked as it is typed. */
import { useId } from 'react'
import { useGraph } from '#components/canvas/graph-context'
import { Property } from '#components/ui/field'
import { patchConfig, setConfig } from '#lib/graph/edit'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphNode } from '#lib/spec/graph'
import type { JsonValue } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import { type Field, fieldsOf, findingOf } from './fields'
import { GlobsField, ListField } from './globs-field'
import styles from './inspector.module.css'
import { JsonField } from './json-field'
import { PresetField } from './preset-field'
import { type Change, ScalarField } from './scalar-field'

export interface FormProps {
  node: GraphNode
  kind: NodeKind
  findings: readonly Diagnostic[]
}

export function Form({ node, kind, findings }: FormProps) {
  const edit = useGraph((state) => state.edit)
  const entry = useGraph((state) => state.paths.get(node.id))
  const fields = fieldsOf(kind.schema, node.config)
  const errors = findings.filter((each) => each.severity === 'error')
  const change = (key: string) => (value: JsonValue | undefined) =>
    void edit((graph, catalog) => patchConfig(graph, node.id, { [key]: value }, catalog), `${node.id}.${key}`)
  const branch = (key: string) => (value: JsonValue | undefined) =>
    void edit((graph, catalog) =>
      setConfig(graph, node.id, value === undefined ? {} : { [key]: value }, catalog),
    )
  // A title is edited in the head, where it stands.
  const shown = fields.filter((each) => each.key !== 'title')
  if (shown.length === 0) return <p className={styles.quiet}>This part has no settings.</p>
  return (
    <div className={styles.props}>
      {shown.map((field) => (
        <FormField
          key={field.key}
          field={field}
          node={node}
          kind={kind}
          error={findingOf(errors, field.key, entry)}
          onChange={field.control === 'branch' ? branch(field.key) : change(field.key)}
        />
      ))}
    </div>
  )
}

function FormField({
  field,
  node,
  kind,
  error,
  onChange,
}: {
  field: Field
  node: GraphNode
  kind: NodeKind
  error: string | undefined
  onChange: Change
}) {
  const id = useId()
  const value = node.config[field.key] ?? field.fallback
  switch (field.control) {
    case 'globs':
      return (
        <Property label={field.label} htmlFor={id} error={error} hint={field.hint} wide>
          <GlobsField
            id={id}
            value={value}
            onChange={onChange}
            use={field.key === kind.scope?.list ? kind.use : undefined}
          />
        </Property>
      )
    case 'list':
      return (
        <Property label={field.label} htmlFor={id} error={error} hint={field.hint} wide>
          <ListField id={id} value={value} onChange={onChange} />
        </Property>
      )
    case 'preset':
      return (
        <PresetField
          node={node}
          kind={kind}
          label={field.label}
          hint={field.hint}
          error={error}
          value={node.config[field.key]}
          onChange={onChange}
        />
      )
    case 'json':
      return (
        <JsonField
          id={id}
          label={field.label}
          hint={field.hint}
          error={error}
          value={node.config[field.key]}
          onChange={onChange}
        />
      )
    default:
      return <ScalarField id={id} field={field} value={value} error={error} onChange={onChange} />
  }
}
