'use client'
/** Adds files to a collection, one after the other, and says of each what came of it. */
import { type DragEvent, useRef, useState } from 'react'
import { api } from '#components/data/client'
import { useRefreshCollections } from '#components/data/recall'
import { plural, size } from '#components/run/figures'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { describeError } from '#components/ui/notice'
import { maxUploadBytes } from '#lib/wire/artifacts'
import { bytesInWords } from '#lib/wire/json'
import styles from './knowledge.module.css'

interface Adding {
  readonly done: number
  readonly of: number
  /** The file at work; null when all are done. */
  readonly now: File | null
  /** Bytes of that file that the server has. */
  readonly sent: number
  /** Bytes of all files before it, and of all files. */
  readonly doneBytes: number
  readonly bytes: number
  /** One sentence for each file that was not added. */
  readonly faults: readonly string[]
}

const accept = '.txt,.md,.markdown,.html,.htm,.pdf,.docx,.csv,.json,.log,.rst'

export function AddFiles({ collection, isFirst }: { collection: string; isFirst: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const [adding, setAdding] = useState<Adding>()
  const [isOver, setOver] = useState(false)
  const refresh = useRefreshCollections()
  const isBusy = adding !== undefined && adding.now !== null
  const add = async (files: readonly File[]) => {
    if (files.length === 0 || isBusy) return
    const faults: string[] = []
    const of = files.length
    const bytes = files.reduce((sum, each) => sum + each.size, 0)
    let doneBytes = 0
    for (const [done, file] of files.entries()) {
      const told = { done, of, now: file, doneBytes, bytes, faults: [...faults] }
      const show = (sent: number) => setAdding({ ...told, sent: Math.min(sent, file.size) })
      show(0)
      const fault = await addOne(collection, file, show)
      if (fault !== undefined) faults.push(fault)
      doneBytes += file.size
      await refresh()
    }
    setAdding({ done: of, of, now: null, sent: 0, doneBytes, bytes, faults })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void add([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping files is one of two ways; the button is the other
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      data-first={isFirst || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className={styles.dropLine}>
        <Button size="s" icon="upload" disabled={isBusy} onClick={() => input.current?.click()}>
          Add files
        </Button>
        <span>
          Or drop them here: text, Markdown, HTML, PDF or DOCX, up to {bytesInWords(maxUploadBytes)} each.
        </span>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept={accept}
          aria-label={`Files for ${collection}`}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])]
            event.target.value = ''
            void add(files)
          }}
        />
      </div>
      {adding !== undefined && <Progress adding={adding} />}
    </div>
  )
}

function Progress({ adding: { done, of, now, sent, doneBytes, bytes, faults } }: { adding: Adding }) {
  const added = of - faults.length
  return (
    <>
      {now !== null && (
        <div className={styles.progress}>
          <Spinner size={12} />
          <span role="status">
            {sent < now.size ? 'Sending' : 'Reading'} {now.name} ({done + 1} of {of})
          </span>
          <progress max={bytes} value={doneBytes + sent} aria-label="Sent" />
          <span>
            {size(doneBytes + sent)} of {size(bytes)}
          </span>
        </div>
      )}
      {now === null && added > 0 && (
        <p className={styles.added} role="status">
          <Icon name="circle-check" size={14} /> {plural(added, 'file')} added.
        </p>
      )}
      {faults.map((fault) => (
        <p key={fault} className={styles.fault} role="alert">
          <Icon name="triangle-alert" size={14} /> {fault}
        </p>
      ))}
    </>
  )
}

/** The sentence that says why the file was not added; undefined when it was. */
async function addOne(
  collection: string,
  file: File,
  onSent: (bytes: number) => void,
): Promise<string | undefined> {
  if (file.size > maxUploadBytes)
    return `“${file.name}” is larger than ${bytesInWords(maxUploadBytes)}, so it was not sent.`
  try {
    await api.knowledge.addFile(collection, file, onSent)
    return undefined
  } catch (error) {
    return describeError(error).what
  }
}
