'use client'
/** One collection: its figures, and when it is open its files and the place to drop more. */
import { useState } from 'react'
import { useCollection, useRemoveCollection, useRemoveFile } from '#components/data/recall'
import { count, plural, size } from '#components/run/figures'
import { Skeleton } from '#components/ui/bits'
import { IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { RemovalDialog } from '#components/ui/removal-dialog'
import { visible } from '#lib/spec/visible'
import type { CollectionFile, CollectionView } from '#lib/wire/knowledge'
import { RemoveUsed } from '../remove-used'
import settings from '../settings.module.css'
import { AddFiles } from './add-files'
import styles from './knowledge.module.css'

interface RowProps {
  readonly collection: CollectionView
  readonly isOpen: boolean
  onToggle(): void
}

export function CollectionRow({ collection, isOpen, onToggle }: RowProps) {
  const { name, description, files, passages, bytes, usedBy } = collection
  const [isRemoving, setRemoving] = useState(false)
  const removal = useRemoveCollection()
  const figures =
    files === 0 ? 'no files yet' : `${plural(files, 'file')}, ${plural(passages, 'passage')}, ${size(bytes)}`
  return (
    <li className={settings.block}>
      <div className={settings.item}>
        <IconButton
          icon={isOpen ? 'chevron-down' : 'chevron-right'}
          size="s"
          label={isOpen ? `Close ${name}` : `Open ${name}`}
          aria-expanded={isOpen}
          onClick={onToggle}
        />
        <Icon name="book-open" size={14} />
        <b>{name}</b>
        <span className={settings.where}>
          {figures}
          {description !== '' && ` · ${visible(description)}`}
        </span>
        <IconButton icon="trash-2" size="s" label={`Remove ${name}`} onClick={() => setRemoving(true)} />
      </div>
      {isOpen && <Files collection={name} />}
      {isRemoving && (
        <RemoveUsed
          name={name}
          usedBy={usedBy}
          then="will no longer find anything in it"
          removal={removal}
          onRemove={() => removal.mutate(name, { onSuccess: () => setRemoving(false) })}
          onClose={() => setRemoving(false)}
        >
          {files === 0 ? 'It has no files.' : `Its ${plural(files, 'file')} cannot be brought back.`}
        </RemoveUsed>
      )}
    </li>
  )
}

function Files({ collection }: { collection: string }) {
  const detail = useCollection(collection)
  const list = detail.data?.list ?? []
  return (
    <div className={styles.open}>
      {detail.isPending && <Skeleton height={28} />}
      {detail.isError && <ErrorNote error={detail.error} onRetry={() => void detail.refetch()} />}
      {list.length > 0 && (
        <ul className={styles.files} aria-label={`Files of ${collection}`}>
          {list.map((file) => (
            <FileRow key={file.id} collection={collection} file={file} />
          ))}
        </ul>
      )}
      <AddFiles collection={collection} isFirst={detail.isSuccess && list.length === 0} />
    </div>
  )
}

function FileRow({ collection, file }: { collection: string; file: CollectionFile }) {
  const [isRemoving, setRemoving] = useState(false)
  const removal = useRemoveFile(collection)
  const name = visible(file.name)
  return (
    <li className={styles.file}>
      <Icon name="file-text" size={14} />
      <span className={styles.fileName} title={`${name}, ${count(file.chars)} characters`}>
        {name}
      </span>
      <span className={styles.figure}>{plural(file.passages, 'passage')}</span>
      <span className={styles.figure}>{size(file.bytes)}</span>
      <IconButton icon="trash-2" size="s" label={`Remove ${name}`} onClick={() => setRemoving(true)} />
      {isRemoving && (
        <RemovalDialog
          title={`Remove ${name}?`}
          verb="Remove"
          isPending={removal.isPending}
          error={removal.error}
          onRemove={() => removal.mutate(file.id, { onSuccess: () => setRemoving(false) })}
          onClose={() => setRemoving(false)}
        >
          <p>
            Agents no longer find its {plural(file.passages, 'passage')}. Add the file again to bring it back.
          </p>
        </RemovalDialog>
      )}
    </li>
  )
}
