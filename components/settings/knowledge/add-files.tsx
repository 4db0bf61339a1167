'use client'
/** Adds files to a collection, one after the other, and says of each what came of it. */
import { type DragEvent, useRef, useState } from 'react'
import { api } from '#components/data/client'
import { useRefreshCollections } from '#components/data/recall'
import { plural } from '#components/run/figures'
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
  readonly now: string | null
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
    for (const [done, file] of files.entries()) {
      setAdding({ done, of: files.length, now: file.name, faults: [...faults] })
      const fault = await addOne(collection, file)
      if (fault !== undefined) faults.push(fault)
      await refresh()
    }
    setAdding({ done: files.length, of: files.length, now: null, faults })
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

function Progress({ adding: { done, of, now, faults } }: { adding: Adding }) {
  const added = of - faults.length
  return (
    <>
      {now !== null && (
        <div className={styles.progress} role="status">
          <Spinner size={12} />
          <span>
            Reading {now} ({done + 1} of {of})
          </span>
          <progress max={of} value={done} aria-label="Files read" />
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
async function addOne(collection: string, file: File): Promise<string | undefined> {
  if (file.size > maxUploadBytes)
    return `“${file.name}” is larger than ${bytesInWords(maxUploadBytes)}, so it was not sent.`
  try {
    await api.knowledge.addFile(collection, file)
    return undefined
  } catch (error) {
    return describeError(error).what
  }
}
