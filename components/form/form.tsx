'use client'
/**
 * The settings of a node as a property list, made from its kind's JSON Schema. Every edit is checked while
 * typing.
 */
import { useMemo } from 'react'
import { useModels, useProviders } from '#components/data/models'
import { useGraph } from '#components/drawing/graph-context'
import { modelAt, switchBranch } from '#components/models/entry'
import { isAdded } from '#components/models/provider-words'
import shared from '#components/ui/shared.module.css'
import { patchConfig, setConfig } from '#lib/graph/edit'
import { entryTools } from '#lib/graph/entry-tools'
import { isAgent } from '#lib/graph/kinds'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphNode } from '#lib/spec/graph'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import { toolViewKeys } from '#lib/spec/tool-view'
import { type Field, fieldsOf, findingsIn } from './fields'
import { FormNodeProvider } from './form-context'
import { SchemaForm } from './schema-form'

export interface FormProps {
  readonly node: GraphNode
  readonly kind: NodeKind
  readonly findings: readonly Diagnostic[]
}

/** A title is edited in the head of the panel. */
const inHead = ['title']
/** Of an agent: what a person writes first, and what few need. Other parts have none of these keys. */
const first = ['instructions']
const more = ['description', 'nextStepPrompt', 'interruptReply']
/** Of a tool entry: what only matters to tools that ask first. */
const ofAskingTools = ['askFirst']
/** Of a tool entry: the keys for what few need. A toolkit may have a description of its own, which is not one. */
const moreOfTools = (fields: readonly Field[]) =>
  fields
    .filter(
      ({ key, control }) =>
        Object.hasOwn(toolViewKeys, key) && !(key === 'description' && control !== 'per-tool'),
    )
    .map(({ key }) => key)
/** The instructions of an agent get more room than any other text. */
const withRoom = (field: Field): Field =>
  field.key === 'instructions' && field.control === 'multiline' ? { ...field, minLines: 6 } : field

export function Form({ node, kind, findings }: FormProps) {
  const edit = useGraph((state) => state.edit)
  const entry = useGraph((state) => state.paths.get(node.id))
  const errors = useMemo(
    () =>
      findingsIn(
        findings.filter((each) => each.severity === 'error'),
        entry,
      ),
    [findings, entry],
  )
  const about = useMemo(() => ({ node, kind }), [node, kind])
  const fields = fieldsOf(kind.schema, node.config)
  const asks = useGraph(({ catalog }) =>
    entryTools(node, kind, catalog).some((each) => each.asksFirst === true),
  )
  const models = useModels().data?.items ?? []
  const providers = useGraph((state) => state.catalog.providers)
  const endpoints = (useProviders().data?.items ?? []).filter(isAdded)
  if (fields.every((each) => inHead.includes(each.key)))
    return <p className={shared.quiet}>This part has no settings.</p>
  const change = (key: string, value: JsonValue | undefined) => {
    if (fields.some((each) => each.key === key && each.control === 'branch')) {
      const { schema } = kind
      const to: JsonObject = value === undefined ? {} : { [key]: value }
      const chosen =
        typeof to.provider === 'string'
          ? modelAt({ provider: to.provider, held: node.config, schema, models, endpoints, providers })
          : to
      edit((graph, catalog) => setConfig(graph, node.id, switchBranch(node.config, chosen, schema), catalog))
      return
    }
    edit((graph, catalog) => patchConfig(graph, node.id, { [key]: value }, catalog), `${node.id}.${key}`)
  }
  return (
    <FormNodeProvider value={about}>
      <SchemaForm
        schema={kind.schema}
        value={node.config}
        findings={errors}
        onChange={change}
        hidden={asks ? inHead : [...inHead, ...ofAskingTools]}
        {...(isAgent(kind) && { first, more, adapt: withRoom })}
        {...(kind.out === 'tool' && { more: moreOfTools(fields) })}
      />
    </FormNodeProvider>
  )
}
