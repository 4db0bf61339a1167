'use client'
/** The settings of a node as a property list, made from its kind's JSON Schema. Every edit is checked as it is typed. */
import { useId, useMemo } from 'react'
import { propertiesOf } from '#components/canvas/describe'
import { useGraph } from '#components/canvas/graph-context'
import { bestGuess, namesOf, switched } from '#components/models/entry'
import { useModels, useProviders } from '#components/models/queries'
import { Property } from '#components/ui/field'
import { patchConfig, setConfig } from '#lib/graph/edit'
import type { KnownModel, ProviderView } from '#lib/http/providers'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphNode } from '#lib/spec/graph'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import { EitherField } from './either-field'
import { EndpointField } from './endpoint-field'
import { type Field, fieldsOf, findingOf } from './fields'
import { GlobsField, ListField } from './globs-field'
import styles from './inspector.module.css'
import { JsonField } from './json-field'
import { ModelField } from './model-field'
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
  const models = useModels().data?.items ?? []
  const endpoints = (useProviders().data?.items ?? []).filter((each) => each.kind === 'openai-compatible')
  const branch = (key: string) => (value: JsonValue | undefined) => {
    const to = value === undefined ? {} : fresh({ kind, chosen: { [key]: value }, models, endpoints })
    edit((graph, catalog) => setConfig(graph, node.id, switched(node.config, to, kind.schema), catalog))
  }
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

/** What another branch begins with: of another provider its only endpoint, and its own or likeliest model. */
function fresh({
  kind,
  chosen,
  models,
  endpoints,
}: {
  kind: NodeKind
  chosen: JsonObject
  models: readonly KnownModel[]
  endpoints: readonly ProviderView[]
}): JsonObject {
  const { provider } = chosen
  if (typeof provider !== 'string') return chosen
  const { endpoint, name } = propertiesOf(kind.schema, chosen)
  const [only, ...others] = endpoint === undefined ? [] : endpoints
  const at = { provider, ...(only !== undefined && others.length === 0 && { endpoint: only.name }) }
  const known = name?.default ?? bestGuess(namesOf(models, at))
  return { ...at, ...(known !== undefined && { name: known }) }
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
  const providers = useGraph((state) => state.catalog.providers)
  const words = useMemo(() => new Map(providers.map((each) => [each.id, each.label])), [providers])
  const { label, hint } = field
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
    case 'model':
      return (
        <ModelField
          id={id}
          label={label}
          hint={hint}
          error={error}
          config={node.config}
          onChange={onChange}
        />
      )
    case 'endpoint':
      return (
        <EndpointField id={id} label={label} hint={hint} error={error} value={value} onChange={onChange} />
      )
    case 'either':
      return <EitherField id={id} field={field} value={value} error={error} onChange={onChange} />
    case 'branch':
      return (
        <ScalarField id={id} field={field} value={value} error={error} onChange={onChange} words={words} />
      )
    default:
      return <ScalarField id={id} field={field} value={value} error={error} onChange={onChange} />
  }
}
