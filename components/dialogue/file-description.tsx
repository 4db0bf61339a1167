'use client'
/** What an attached file is, in a person's words: shown in its chip, and changed in a small dialog. */
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button, IconButton } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { Property, TextArea } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import { type Artifact, maxDescriptionChars } from '#lib/spec/artifact'
import { lineOf } from '#lib/spec/line'
import styles from './attachment-list.module.css'

interface FileDescriptionProps {
  readonly artifact: Artifact
  onSave(description: string): Promise<void>
}

export function FileDescription({ artifact, onSave }: FileDescriptionProps) {
  const { name, description = '' } = artifact
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {description !== '' && <span className={styles.said}>{lineOf(description)}</span>}
      <IconButton
        icon="pencil"
        size="s"
        label={`Describe ${name}`}
        className={styles.remove}
        onClick={() => setOpen(true)}
      />
      {isOpen && <DescribeDialog artifact={artifact} onSave={onSave} onClose={() => setOpen(false)} />}
    </>
  )
}

function DescribeDialog({ artifact, onSave, onClose }: FileDescriptionProps & { onClose(): void }) {
  const { name, description = '' } = artifact
  const id = useId()
  const [draft, setDraft] = useState(description)
  const saving = useMutation({ mutationFn: onSave, onSuccess: onClose })
  const save = () => saving.mutate(draft.trim())
  return (
    <Dialog
      title={`What is ${name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={saving.isPending} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <Property
        label="Description"
        htmlFor={id}
        hint="The model reads it with your question, and in every list of the files of this thread."
      >
        <TextArea
          id={id}
          value={draft}
          onChange={(value) => setDraft(value.slice(0, maxDescriptionChars))}
          placeholder="Sales of 2024, one row for each order"
          rows={3}
        />
      </Property>
      {saving.isError && <ErrorNote error={saving.error} />}
    </Dialog>
  )
}
