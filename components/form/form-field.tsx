'use client'
/** One key of a form, with the control that its schema requires. */
import { useId } from 'react'
import { Property } from '#components/ui/field'
import { equal } from '#lib/graph/equal'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import { appliesToKey } from '#lib/spec/kind'
import { AgentField, AgentVersionField } from './agent-field'
import { ApiAddressField } from './api-address-field'
import { ApiAuthField } from './api-auth-field'
import { ApiDocumentField } from './api-document-field'
import { ApiOperationsField } from './api-operations-field'
import type { Change } from './change'
import { CollectionsField } from './collections-field'
import { EitherField } from './either-field'
import { EndpointField } from './endpoint-field'
import { type Field, type FieldFinding, withKey } from './fields'
import { useFormNode } from './form-context'
import { GlobsField, ListField } from './globs-field'
import { HttpBodyField } from './http-body-field'
import { HttpValueField } from './http-value-field'
import { ItemsField } from './items-field'
import { JsonField } from './json-field'
import { MapField } from './map-field'
import { McpServerField } from './mcp-server-field'
import { McpToolsField } from './mcp-tools-field'
import { ModelChoiceField } from './model-choice-field'
import { ModelField } from './model-field'
import { Nested } from './nested'
import { ParametersField } from './parameters-field'
import { PerToolField } from './per-tool-field'
import { PresetField } from './preset-field'
import { ScalarField } from './scalar-field'
import { SchemaForm } from './schema-form'
import { SecretField } from './secret-field'
import { SkillField } from './skill-field'
import { SkillVersionField } from './skill-version-field'
import { useWiredGlobs } from './use-wired-globs'

export interface FormFieldProps {
  readonly field: Field
  /** The value that is set; undefined while the default applies. */
  readonly value: JsonValue | undefined
  /** The object that holds the value. */
  readonly holder: JsonObject
  /** The path of the value within the node's settings. */
  readonly path: string
  readonly error: string | undefined
  readonly findings: readonly FieldFinding[]
  readonly unset?: string
  readonly onChange: Change
}

export function FormField(props: FormFieldProps) {
  const { field, value, path, findings, error, onChange, unset } = props
  const id = useId()
  const about = useFormNode()
  const { label, hint } = field
  const control = { id, label, hint, path, findings, error, value, onChange }
  const reset = resetOf(field, value, onChange)
  switch (field.control) {
    case 'globs':
      return <GlobsProperty {...props} id={id} reset={reset} />
    case 'list':
    case 'choices':
      return (
        <Property label={label} htmlFor={id} error={error} hint={hint} reset={reset}>
          <ListField
            id={id}
            label={label}
            value={value ?? field.fallback}
            onChange={onChange}
            options={field.control === 'choices' ? field.options : undefined}
          />
        </Property>
      )
    case 'preset':
      return about === null ? <JsonField {...control} /> : <PresetField {...control} {...about} />
    case 'per-tool':
      return about === null ? (
        <JsonField {...control} />
      ) : (
        <PerToolField {...control} {...about} field={field} />
      )
    case 'secret':
      return <SecretField {...control} orText={field.orText} />
    case 'object':
      return <ObjectField {...props} field={field} />
    case 'items':
      return <ItemsField {...control} field={field} />
    case 'map':
      return <MapField {...control} field={field} />
    case 'json':
      return <JsonField {...control} fallback={field.fallback} reset={reset} />
    case 'parameters':
      return <ParametersField {...control} fallback={field.fallback} />
    case 'http-value':
      return <HttpValueField {...control} canBeParameter={field.canBeParameter} />
    case 'http-body':
      return <HttpBodyField {...control} field={field} />
    case 'openapi-document':
      return <ApiDocumentField {...control} />
    case 'openapi-address':
      return <ApiAddressField {...control} document={props.holder.document} />
    case 'openapi-operations':
      return <ApiOperationsField {...control} path={path} holder={props.holder} />
    case 'openapi-auth':
      return <ApiAuthField {...control} holder={props.holder} />
    case 'model':
      return <ModelField {...control} config={props.holder} />
    case 'model-choice':
      return <ModelChoiceField {...control} />
    case 'endpoint':
      return <EndpointField {...control} />
    case 'agent':
      return <AgentField {...control} />
    case 'agent-version':
      return <AgentVersionField {...control} agent={props.holder.agent} />
    case 'mcp-server':
      return <McpServerField {...control} />
    case 'skill':
      return <SkillField {...control} />
    case 'skill-hash':
      return <SkillVersionField {...control} holder={props.holder} />
    case 'collections':
      return <CollectionsField {...control} />
    case 'mcp-tools':
      return <McpToolsProperty {...props} id={id} reset={reset} />
    case 'either':
      return <EitherField {...control} field={field} value={value ?? field.fallback} />
    case 'text':
    case 'multiline':
    case 'code':
    case 'number':
    case 'switch':
    case 'select':
    case 'branch':
      return <ScalarField {...control} field={field} reset={reset} unset={unset} />
  }
  return field satisfies never
}

/**
 * A component of its own, because only this field reads the drawing's wires; other forms are used where there
 * is no drawing.
 */
function GlobsProperty({
  id,
  field,
  value,
  error,
  reset,
  onChange,
}: FormFieldProps & { id: string; reset: ReturnType<typeof resetOf> }) {
  const about = useFormNode()
  const wired = useWiredGlobs()
  const isWired = field.key === appliesToKey && wired.length > 0
  return (
    <Property
      label={field.label}
      htmlFor={id}
      error={error}
      hint={
        isWired
          ? `From its wires: ${wired.join(', ')}. Patterns that you enter here replace them.`
          : field.hint
      }
      reset={reset}
    >
      <GlobsField
        id={id}
        label={field.label}
        value={value ?? field.fallback}
        onChange={onChange}
        use={about !== null && field.key === about.kind.scope?.list ? about.kind.use : undefined}
      />
    </Property>
  )
}

/** The tools that an entry offers have ticks; those that it leaves out are typed. */
function McpToolsProperty({
  id,
  field,
  value,
  holder,
  error,
  reset,
  onChange,
}: FormFieldProps & { id: string; reset: ReturnType<typeof resetOf> }) {
  const { key, label, hint } = field
  if (key === useFormNode()?.kind.scope?.list)
    return <McpToolsField {...{ id, label, hint, error, value, onChange }} server={holder.server} />
  return (
    <Property label={label} htmlFor={id} error={error} hint={hint} reset={reset}>
      <ListField id={id} label={label} value={value} onChange={onChange} />
    </Property>
  )
}

function ObjectField({
  field,
  value,
  path,
  findings,
  error,
  unset,
  onChange,
}: FormFieldProps & { field: Extract<Field, { control: 'object' }> }) {
  const held = isObject(value) ? value : {}
  const change = (key: string, next: JsonValue | undefined) => {
    const after = withKey(held, key, next)
    // An empty object means the same as no object, unless the object is required.
    onChange(Object.keys(after).length === 0 && !field.isRequired ? undefined : after)
  }
  return (
    <Nested label={field.label} hint={field.hint} error={findings.length === 0 ? error : undefined}>
      <SchemaForm
        schema={field.schema}
        value={held}
        findings={findings}
        onChange={change}
        path={path}
        unset={unset}
      />
    </Nested>
  )
}

/**
 * A setting can be reset where it differs from its default; where the default is empty, a person simply
 * clears it.
 */
function resetOf(
  { fallback, control }: Field,
  value: JsonValue | undefined,
  onChange: Change,
): { label: string; run(): void } | undefined {
  if (value === undefined || control === 'branch' || isEmpty(fallback) || equal(value, fallback))
    return undefined
  return { label: `Back to the default${wordOf(fallback)}`, run: () => onChange(undefined) }
}

function isEmpty(fallback: JsonValue | undefined): boolean {
  return fallback === undefined || fallback === '' || (Array.isArray(fallback) && fallback.length === 0)
}

function wordOf(fallback: JsonValue | undefined): string {
  if (typeof fallback === 'number') return `, ${fallback.toLocaleString('en-US')}`
  if (typeof fallback === 'boolean') return fallback ? ', on' : ', off'
  return typeof fallback === 'string' && fallback !== '' ? `, ${fallback.replaceAll('_', ' ')}` : ''
}
