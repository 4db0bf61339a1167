'use client'
/** The files of a question as chips with name and size; files that are not sent yet can be removed. */
import { FileLink } from '#components/observation/file-link'
import { iconOf } from '#components/observation/file-list'
import { isPageFile, OpenPage } from '#components/observation/page-view'
import { isPicture, picturesIn, Thumbnail } from '#components/observation/thumbnail'
import { size } from '#components/run/figures'
import { Spinner } from '#components/ui/bits'
import { IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import type { Artifact } from '#lib/spec/artifact'
import { lineOf } from '#lib/spec/line'
import { isTooLargeToSee } from '#lib/spec/picture'
import styles from './attachment-list.module.css'
import { FileDescription } from './file-description'
import type { GivenFile } from './given-files'

export interface AttachmentListProps {
  readonly files: readonly GivenFile[]
  onDescribe(key: number, description: string): Promise<void>
  onRemove(key: number): void
}

export function AttachmentList({ files, onDescribe, onRemove }: AttachmentListProps) {
  if (files.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Files to send">
      {files.map(({ key, file: { name, size: bytes }, state, reason, artifact }) => (
        <li
          key={key}
          className={styles.chip}
          data-state={state}
          data-picture={(artifact !== undefined && isPicture(artifact)) || undefined}
          title={lineOf(reason ?? artifact?.description ?? name)}
        >
          {artifact !== undefined && isPicture(artifact) ? (
            <Thumbnail artifact={artifact} size="chip" />
          ) : state === 'waiting' || state === 'uploading' ? (
            <Spinner size={12} />
          ) : (
            <Icon name={state === 'failed' ? 'circle-x' : 'file-text'} size={12} />
          )}
          <span className={styles.name}>
            <Line text={name} />
          </span>
          <span className={styles.size}>
            {reason ?? (artifact === undefined ? size(bytes) : sizeOf(artifact))}
          </span>
          {artifact !== undefined && (
            <FileDescription artifact={artifact} onSave={(description) => onDescribe(key, description)} />
          )}
          <IconButton
            icon="x"
            size="s"
            label={`Remove ${name}`}
            className={styles.remove}
            onClick={() => onRemove(key)}
          />
        </li>
      ))}
    </ul>
  )
}

/** Stored files: attached to a question, or made by a run. */
export interface FileChipsProps {
  readonly files: readonly Artifact[]
  readonly label: string
  /** They are shown under the question, aligned with it. */
  readonly isAsked?: boolean
}

export function FileChips({ files, label, isAsked }: FileChipsProps) {
  if (files.length === 0) return null
  const pictures = picturesIn(files)
  return (
    <ul className={styles.list} data-asked={isAsked || undefined} aria-label={label}>
      {files.map((each) => (
        <li
          key={each.id}
          className={pictures.has(each) ? styles.figure : styles.chip}
          title={lineOf(each.description ?? each.path ?? each.name)}
        >
          {pictures.has(each) && <Thumbnail artifact={each} size="message" />}
          {pictures.has(each) ? <Caption file={each} /> : <FileParts file={each} />}
        </li>
      ))}
    </ul>
  )
}

/** The name and the size of a picture, below it. */
function Caption({ file }: { file: Artifact }) {
  return (
    <span className={styles.caption}>
      <FileParts file={file} />
    </span>
  )
}

function FileParts({ file }: { file: Artifact }) {
  return (
    <>
      <Icon name={iconOf(file)} size={12} />
      <span className={styles.name}>
        <FileLink artifact={file} />
      </span>
      <span className={styles.size}>{sizeOf(file)}</span>
      {isPageFile(file) && <OpenPage artifact={file} />}
    </>
  )
}

/** The size of a file, and that models are not shown a picture of this size. */
function sizeOf(file: Artifact): string {
  return isTooLargeToSee(file) ? `${size(file.bytes)}, too large for models to see` : size(file.bytes)
}
