'use client'
/** The operations of an API that become tools: chosen from a list, and looked at again after they have changed. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiDocument } from '#components/data/apis'
import { api } from '#components/data/client'
import { useGraph } from '#components/drawing/graph-context'
import { Button, IconButton } from '#components/ui/button'
import { ErrorNote } from '#components/ui/notice'
import { patchConfig } from '#lib/graph/edit'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { visible } from '#lib/spec/visible'
import { type ChosenOperation, chosenOperations, documentNameIn } from './api-operations'
import styles from './api-operations-field.module.css'
import { ApiPicker } from './api-picker'
import type { ControlProps } from './change'
import { useFormNode } from './form-context'
import { JsonField } from './json-field'
import { Method } from './method'
import { Nested } from './nested'
import { OperationChange } from './operation-change'

interface OperationsProps extends ControlProps {
  readonly path: string
  readonly holder: JsonObject
}

export function ApiOperationsField({ holder, ...control }: OperationsProps) {
  const node = useFormNode()?.node
  if (node === undefined) return <JsonField {...control} />
  return <Operations {...control} nodeId={node.id} document={documentNameIn(holder.document)} />
}

interface Props extends Omit<OperationsProps, 'holder'> {
  readonly nodeId: string
  readonly document: string
}

function Operations({ nodeId, document, label, hint, error, value, onChange }: Props) {
  const edit = useGraph((state) => state.edit)
  const detail = useApiDocument(document)
  const [isOpen, setOpen] = useState(false)
  const chosen = chosenOperations(value, detail.data?.list)
  const choosing = useMutation({
    mutationFn: (names: readonly string[]) => api.openapiDocuments.resolve(document, names),
  })
  /** Those that stay keep their definition, which a person may have kept on purpose. */
  const choose = (names: readonly string[]) => {
    const kept = new Map(chosen.map(({ name, definition }) => [name, definition]))
    const fresh = names.filter((name) => !kept.has(name))
    choosing.mutate(fresh, {
      onSuccess: ({ hash, items }) => {
        const made = new Map<string, JsonValue>(items.map((each) => [each.name, asJson(each)]))
        const operations = names.flatMap((name) => kept.get(name) ?? made.get(name) ?? [])
        const config = { operations, document: { name: document, hash } }
        edit((graph, catalog) => patchConfig(graph, nodeId, config, catalog))
        setOpen(false)
      },
    })
  }
  const put = (name: string, next: JsonObject | undefined) => {
    const left = chosen.flatMap((each) => (each.name === name ? (next ?? []) : each.definition))
    onChange(left.length === 0 ? undefined : left)
  }
  return (
    <Nested label={label} hint={chosen.length === 0 ? hint : ''} error={error}>
      {chosen.length > 0 && (
        <ul className={styles.list} aria-label="Chosen operations">
          {chosen.map((each) => (
            <Chosen
              key={each.name}
              operation={each}
              document={document}
              onRemove={() => put(each.name, undefined)}
              onSettle={(next) => put(each.name, next)}
            />
          ))}
        </ul>
      )}
      <div>
        <Button
          size="s"
          icon="list-checks"
          disabled={document === '' || !detail.isSuccess}
          title={document === '' ? 'Choose a document first' : undefined}
          onClick={() => setOpen(true)}
        >
          Choose operations
        </Button>
      </div>
      {document !== '' && detail.isError && <ErrorNote error={detail.error} />}
      {isOpen && detail.data !== undefined && (
        <ApiPicker
          document={detail.data}
          chosen={chosen.map(({ name }) => name)}
          isBusy={choosing.isPending}
          error={choosing.error}
          onChoose={choose}
          onClose={() => setOpen(false)}
        />
      )}
    </Nested>
  )
}

/** cast: an operation is plain data */
function asJson(operation: object): JsonObject {
  return operation as JsonObject
}

interface ChosenProps {
  readonly operation: ChosenOperation
  readonly document: string
  onRemove(): void
  /** Puts another definition in its place. */
  onSettle(next: JsonObject): void
}

function Chosen({ operation, document, onRemove, onSettle }: ChosenProps) {
  const { name, method, path, standing } = operation
  return (
    <li className={styles.operation}>
      <div className={styles.head}>
        <Method method={method} />
        <span className={styles.name} title={`${method} ${visible(path)}`}>
          {name}
        </span>
        <IconButton icon="x" size="s" label={`Remove ${name}`} onClick={onRemove} />
      </div>
      <p className={styles.path}>{visible(path)}</p>
      {standing !== 'same' && (
        <OperationChange operation={operation} document={document} onRemove={onRemove} onSettle={onSettle} />
      )}
    </li>
  )
}
