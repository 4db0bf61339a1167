'use client'
/** The OpenAPI documents of this server: adding one, reading it again, and removing it. */
import { useRef, useState } from 'react'
import { useAddApiDocument, useApiDocuments } from '#components/data/apis'
import { Skeleton, Spinner } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { describeError, Empty, ErrorNote } from '#components/ui/notice'
import { visible } from '#lib/spec/visible'
import type { AddedOpenapiDocument, OpenapiDocumentView } from '#lib/wire/openapi-documents'
import styles from '../settings.module.css'
import { AddApi } from './add-api'
import { changeWords, operationsInWords } from './change-words'
import { RemoveApi } from './remove-api'

export function ApiDocuments() {
  const documents = useApiDocuments()
  const items = documents.data?.items ?? []
  const [form, setForm] = useState<{ readonly name?: string } | null>(null)
  const [added, setAdded] = useState<AddedOpenapiDocument>()
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      {documents.isPending && <Skeleton height={36} />}
      {documents.isError && <ErrorNote error={documents.error} onRetry={() => void documents.refetch()} />}
      {documents.isSuccess && items.length === 0 && form === null && (
        <Empty icon="list-tree" title="No documents yet">
          Add the OpenAPI document of an API to give its operations to an agent as tools.
        </Empty>
      )}
      {items.length > 0 && (
        <ul className={styles.list} aria-label="OpenAPI documents">
          {items.map((each) => (
            <DocumentRow
              key={each.name}
              document={each}
              onRead={setAdded}
              onReplace={() => setForm({ name: each.name })}
            />
          ))}
        </ul>
      )}
      {added !== undefined && (
        <p className={styles.quiet} role="status">
          {changeWords(added)}
        </p>
      )}
      {form === null ? (
        <div>
          <Button ref={opener} icon="plus" onClick={() => setForm({})}>
            Add an API
          </Button>
        </div>
      ) : (
        <AddApi
          key={form.name ?? ''}
          opener={opener}
          {...(form.name !== undefined && { name: form.name })}
          onAdded={setAdded}
          onClose={() => setForm(null)}
        />
      )}
    </>
  )
}

interface RowProps {
  readonly document: OpenapiDocumentView
  onRead(added: AddedOpenapiDocument): void
  /** Opens the form with a new text for the document. */
  onReplace(): void
}

function DocumentRow({ document, onRead, onReplace }: RowProps) {
  const { name, title, version, operations, unusable, url } = document
  const [isRemoving, setRemoving] = useState(false)
  const reading = useAddApiDocument()
  const again = () => {
    if (url === null) onReplace()
    else reading.mutate({ name, url }, { onSuccess: onRead })
  }
  const facts = `${visible(title)}${version === '' ? '' : ` ${visible(version)}`}, ${operationsInWords(operations)}`
  return (
    <li className={styles.block}>
      <div className={styles.item}>
        <Icon name="list-tree" size={14} />
        <b>{name}</b>
        <span className={styles.where} title={url === null ? undefined : visible(url)}>
          {facts}
          {unusable > 0 && `, ${unusable} of them cannot be used`}
        </span>
        {reading.isPending ? (
          <Spinner />
        ) : (
          <IconButton
            icon="rotate-ccw"
            size="s"
            label={url === null ? `Replace ${name} by a newer text` : `Read ${name} again from its address`}
            onClick={again}
          />
        )}
        <IconButton icon="trash-2" size="s" label={`Remove ${name}`} onClick={() => setRemoving(true)} />
      </div>
      {reading.isError && (
        <p className={styles.advice} role="alert">
          {describeError(reading.error).what}
        </p>
      )}
      {isRemoving && <RemoveApi document={document} onClose={() => setRemoving(false)} />}
    </li>
  )
}
