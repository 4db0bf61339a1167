'use client'
/** Files a person gives along with the next question: uploaded as they are chosen, into the thread the question goes to. */
import { useCallback, useRef, useState } from 'react'
import { ApiError, api } from '#components/data/client'
import { size } from '#components/run/figures'
import type { Artifact } from '#lib/spec/artifact'
import { maxUploadBytes } from '#lib/wire/artifacts'

export interface Attachment {
  readonly key: number
  readonly name: string
  readonly bytes: number
  readonly state: 'uploading' | 'ready' | 'failed'
  readonly artifact?: Artifact
  /** Why it was not taken. */
  readonly reason?: string
}

/** As the API takes them for one question. */
const most = 20
const tooMany = `Not taken: ${most} files go with one question.`

export interface Attachments {
  readonly items: readonly Attachment[]
  add(files: readonly File[]): void
  remove(key: number): void
  clear(): void
}

/** `thread` resolves with the thread to upload into, made if there is none yet. */
export function useAttachments(thread: () => Promise<string>): Attachments {
  const [items, setItems] = useState<readonly Attachment[]>([])
  const next = useRef(0)
  const put = (key: number, more: Partial<Attachment>) =>
    setItems((known) => known.map((each) => (each.key === key ? { ...each, ...more } : each)))
  const send = async (key: number, file: File) => {
    try {
      if (file.size > maxUploadBytes) throw new Error(`Larger than ${size(maxUploadBytes)}.`)
      put(key, { state: 'ready', artifact: await api.threads.files.upload(await thread(), file) })
    } catch (error) {
      put(key, { state: 'failed', reason: reasonOf(error) })
    }
  }
  return {
    items,
    add(files) {
      const room = Math.max(0, most - items.filter((each) => each.state !== 'failed').length)
      const chosen = files.map((file) => ({ key: next.current++, file }))
      setItems((known) => [
        ...known,
        ...chosen.map(({ key, file }, index): Attachment => {
          const told = { key, name: file.name, bytes: file.size }
          return index < room
            ? { ...told, state: 'uploading' }
            : { ...told, state: 'failed', reason: tooMany }
        }),
      ])
      for (const { key, file } of chosen.slice(0, room)) void send(key, file)
    },
    remove: (key) => setItems((known) => known.filter((each) => each.key !== key)),
    clear: useCallback(() => setItems([]), []),
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'not_found') return 'The thread is gone: begin a new one.'
  return error instanceof Error ? error.message : 'It was not taken.'
}
