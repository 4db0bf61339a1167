'use client'
/** Imports a skill: a folder or a ZIP file, chosen or dropped. What would be replaced is shown first. */
import { type DragEvent, useRef, useState } from 'react'
import { archiveOf, type ChosenFile, filesOfDrop, filesOfInput } from '#components/data/skill-archive'
import { useImportSkill, usePreviewSkill } from '#components/data/skills'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import type { ImportedSkill, SkillPreview } from '#lib/wire/skills'
import { ReplaceSkill } from './replace-skill'
import styles from './skills.module.css'

interface ImportProps {
  /** There is no skill yet. */
  readonly isFirst: boolean
  /** Another skill has been chosen. */
  onBegin(): void
  onImported(imported: ImportedSkill): void
}

/** An archive that would replace another version. */
interface Offered {
  readonly archive: Blob
  readonly preview: SkillPreview
}

export function ImportSkill({ isFirst, onBegin, onImported }: ImportProps) {
  const folder = useRef<HTMLInputElement>(null)
  const file = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [isPacking, setPacking] = useState(false)
  const [fault, setFault] = useState<string>()
  const [offered, setOffered] = useState<Offered>()
  const previewing = usePreviewSkill()
  const importing = useImportSkill()
  const isBusy = isPacking || previewing.isPending || importing.isPending

  const send = (archive: Blob, replaces?: string) =>
    importing.mutate(
      { archive, replaces },
      {
        onSuccess: (imported) => {
          setOffered(undefined)
          onImported(imported)
        },
      },
    )
  const take = async (choosing: Promise<readonly ChosenFile[]> | readonly ChosenFile[]) => {
    onBegin()
    setFault(undefined)
    previewing.reset()
    importing.reset()
    setPacking(true)
    try {
      const archive = await archiveOf(await choosing)
      if (!archive.ok) return setFault(archive.error)
      previewing.mutate(archive.value, {
        onSuccess: (preview) => {
          if (preview.now === null || preview.now === preview.facts.hash) send(archive.value)
          else setOffered({ archive: archive.value, preview })
        },
      })
    } catch {
      setFault('The files cannot be read by the browser. Try again, or choose a ZIP file.')
    } finally {
      setPacking(false)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!isBusy) void take(filesOfDrop(event.dataTransfer.items))
  }
  const error = previewing.error ?? (offered === undefined ? importing.error : null)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do the same without a pointer */}
      <div
        className={styles.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false) // cast: what is left for is a node or nothing
        }}
        onDrop={drop}
      >
        <Icon name="graduation-cap" size={20} />
        <p>
          {isFirst && <b>No skills yet. </b>}
          Drop the folder of a skill here, or a ZIP file of it.
        </p>
        <div className={styles.ways}>
          <Button icon="folder-plus" disabled={isBusy} onClick={() => folder.current?.click()}>
            Choose a folder
          </Button>
          <Button icon="file-up" disabled={isBusy} onClick={() => file.current?.click()}>
            Choose a ZIP file
          </Button>
          {isBusy && (
            <span className={styles.quiet} role="status">
              <Spinner size={12} /> The skill is read.
            </span>
          )}
        </div>
        <input
          ref={(input) => {
            folder.current = input
            // React knows no such attribute.
            input?.setAttribute('webkitdirectory', '')
          }}
          type="file"
          hidden
          aria-label="Folder of a skill"
          onChange={({ target }) => {
            void take(filesOfInput(target.files ?? []))
            target.value = ''
          }}
        />
        <input
          ref={file}
          type="file"
          hidden
          accept=".zip,.skill,application/zip"
          aria-label="ZIP file of a skill"
          onChange={({ target }) => {
            void take(filesOfInput(target.files ?? []))
            target.value = ''
          }}
        />
      </div>
      {fault !== undefined && <ErrorNote error={{ message: fault }} />}
      {error !== null && <ErrorNote error={error} />}
      {offered !== undefined && (
        <ReplaceSkill
          preview={offered.preview}
          isPending={importing.isPending}
          error={importing.error}
          onReplace={() => send(offered.archive, offered.preview.now ?? undefined)}
          onClose={() => {
            importing.reset()
            setOffered(undefined)
          }}
        />
      )}
    </>
  )
}
