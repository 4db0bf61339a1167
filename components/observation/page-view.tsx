'use client'
/** A page that a run made, such as a report: opened in a frame that runs nothing, loads nothing and has no origin. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#components/data/client'
import { Spinner } from '#components/ui/bits'
import { IconButton } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { ErrorNote } from '#components/ui/notice'
import type { Artifact } from '#lib/spec/artifact'
import { lineOf } from '#lib/spec/line'
import { FileLink } from './file-link'
import styles from './page-view.module.css'

/** Larger pages are only downloaded. */
const mostBytes = 8 * 1024 * 1024

/** Whether the file is a page that can be opened here. */
export function isPageFile({ mediaType, bytes }: Pick<Artifact, 'mediaType' | 'bytes'>): boolean {
  return mediaType === 'text/html' && bytes <= mostBytes
}

interface OpenPageProps {
  readonly artifact: Artifact
  /** What the page is called; else the file's name. */
  readonly title?: string
}

/** A button that opens the page. */
export function OpenPage({ artifact, title = artifact.name }: OpenPageProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        icon="eye"
        size="s"
        label={`Open ${lineOf(artifact.name)}`}
        className={styles.open}
        onClick={(event) => {
          // The row around it handles clicks too.
          event.stopPropagation()
          setOpen(true)
        }}
      />
      {isOpen && <PageDialog artifact={artifact} title={title} onClose={() => setOpen(false)} />}
    </>
  )
}

function PageDialog({ artifact, title, onClose }: Required<OpenPageProps> & { onClose(): void }) {
  return (
    <Dialog wide="page" title={title} onClose={onClose}>
      <PageFrame artifact={artifact} />
      <p className={styles.save}>
        <FileLink artifact={artifact} name={`Save ${artifact.name}`} />
      </p>
    </Dialog>
  )
}

/** @param isPart the page is part of a column, which sets its height as `--page-height` */
export function PageFrame({ artifact, isPart = false }: { artifact: Artifact; isPart?: boolean }) {
  const { data, error } = useQuery({
    queryKey: ['artifacts', artifact.id, 'page'],
    queryFn: async () => (await api.artifact(artifact.id)).text(),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (error !== null) return <ErrorNote error={error} />
  if (data === undefined)
    return (
      <p className={styles.wait} data-part={isPart || undefined}>
        <Spinner size={14} /> Opening the page
      </p>
    )
  return (
    <iframe
      className={styles.frame}
      data-part={isPart || undefined}
      // Links open in a tab of their own, which is not bound to these rules.
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      title={lineOf(artifact.name)}
      srcDoc={confined(data)}
    />
  )
}

/** What every page is held to, whoever wrote it and whatever it says itself. */
const policy =
  "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; form-action 'none'"

/** The rules stand before anything of the page, where nothing of it can come first. */
function confined(html: string): string {
  const own = html.replace(/^\s*<!doctype[^>]*>/i, '')
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">${own}`
}
