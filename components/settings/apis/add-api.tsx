'use client'
/** Adds an OpenAPI document: by its address, as a pasted text, or from a file of this computer. */
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react'
import { useAddApiDocument } from '#components/data/apis'
import { ApiError } from '#components/data/client'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Property, TextArea } from '#components/ui/field'
import { describeError, ErrorNote } from '#components/ui/notice'
import { Segmented } from '#components/ui/segmented'
import { useFormFocus } from '#components/ui/use-form-focus'
import { documentName } from '#lib/spec/openapi'
import { type AddedOpenapiDocument, mostDocumentBytes } from '#lib/wire/openapi-documents'
import { TextProperty } from '../properties'
import styles from '../settings.module.css'

interface AddApiProps {
  readonly opener: RefObject<HTMLElement | null>
  /** Given when a document gets a newer text. */
  readonly name?: string
  onAdded(added: AddedOpenapiDocument): void
  onClose(): void
}

const ways = [
  { value: 'url', label: 'Address' },
  { value: 'file', label: 'File' },
  { value: 'text', label: 'Text' },
] as const
type Way = (typeof ways)[number]['value']

export function AddApi({ opener, name: given, onAdded, onClose }: AddApiProps) {
  const id = useId()
  const focus = useFormFocus(opener, onClose)
  const [name, setName] = useState(given ?? '')
  const [way, setWay] = useState<Way>(given === undefined ? 'url' : 'file')
  const [url, setUrl] = useState('')
  const [text, setText] = useState('')
  const [file, setFile] = useState<{ readonly name: string; readonly text: string }>()
  const [fileFault, setFileFault] = useState<string>()
  const adding = useAddApiDocument()
  const source = sourceOf(way, { url, text, file: file?.text ?? '' })
  const isNamed = documentName.safeParse(name.trim()).success
  const { error } = adding
  const place = error instanceof ApiError ? error.path : undefined
  const told = (...places: string[]) =>
    place !== undefined && places.includes(place) ? describeError(error).what : undefined
  const take = async (chosen: File | undefined) => {
    adding.reset()
    setFile(undefined)
    setFileFault(undefined)
    if (chosen === undefined) return
    if (chosen.size > mostDocumentBytes) return setFileFault('The file is larger than 10 MB.')
    setFile({ name: chosen.name, text: await chosen.text() })
    if (name === '') setName(nameOf(chosen.name))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isNamed || source === undefined || adding.isPending) return
    adding.mutate(
      { name: name.trim(), ...source },
      {
        onSuccess: (added) => {
          onAdded(added)
          onClose()
        },
      },
    )
  }
  const isTold = place === 'name' || place === 'text' || place === 'url'
  return (
    <form {...focus} className={styles.adding} onSubmit={submit} aria-label="Add an API">
      <TextProperty
        label="Name"
        hint="The name agents use, as in pet-store."
        error={told('name') ?? (name.trim() !== '' && !isNamed ? nameFault : undefined)}
        value={name}
        onChange={setName}
        disabled={given !== undefined}
      />
      <Property label="Document">
        <Segmented<Way>
          label="Where the document comes from"
          value={way}
          options={ways}
          onChange={(next) => {
            adding.reset()
            setWay(next)
          }}
        />
      </Property>
      {way === 'url' && (
        <TextProperty
          label="Address"
          hint="An OpenAPI document 3.0 or 3.1, in JSON or YAML. The server fetches it."
          error={told('url')}
          value={url}
          onChange={setUrl}
          placeholder="https://api.example.com/openapi.json"
          inputMode="url"
          mono
        />
      )}
      {way === 'file' && (
        <FileProperty
          id={`${id}-file`}
          chosen={file?.name}
          error={fileFault ?? told('text')}
          onTake={(chosen) => void take(chosen)}
        />
      )}
      {way === 'text' && (
        <Property
          label="Text"
          htmlFor={`${id}-text`}
          wide
          error={told('text')}
          hint="An OpenAPI document 3.0 or 3.1, JSON or YAML, up to 10 MB."
        >
          <TextArea
            id={`${id}-text`}
            value={text}
            onChange={setText}
            rows={8}
            placeholder={'openapi: 3.1.0\ninfo:\n  title: Pet store'}
            spellCheck={false}
            autoComplete="off"
            mono
          />
        </Property>
      )}
      {error !== null && !isTold && <ErrorNote error={error} />}
      <div className={styles.buttons}>
        <Button
          type="submit"
          variant="primary"
          disabled={!isNamed || source === undefined || adding.isPending}
        >
          {given === undefined ? 'Add API' : 'Replace the document'}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        {adding.isPending && (
          <span className={styles.quiet} role="status">
            <Spinner size={12} /> The document is read.
          </span>
        )}
      </div>
    </form>
  )
}

const nameFault = 'Use lowercase letters, digits, single hyphens and underscores.'

/** Undefined while there is nothing to add. */
function sourceOf(
  way: Way,
  { url, text, file }: { url: string; text: string; file: string },
): { url: string } | { text: string } | undefined {
  if (way === 'url') return url.trim() === '' ? undefined : { url: url.trim() }
  const given = way === 'file' ? file : text
  return given.trim() === '' ? undefined : { text: given }
}

/** A file name as the name of a document; empty if nothing is left of it. */
function nameOf(file: string): string {
  return file
    .replace(/\.[a-z]+$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64)
}

interface FileProps {
  readonly id: string
  readonly chosen: string | undefined
  readonly error: string | undefined
  onTake(file: File | undefined): void
}

function FileProperty({ id, chosen, error, onTake }: FileProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <Property label="File" htmlFor={id} error={error} hint="JSON or YAML, up to 10 MB.">
      <div className={styles.keyRow}>
        <span className={styles.fixed}>{chosen ?? 'No file is chosen.'}</span>
        <Button icon="upload" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <input
          ref={input}
          id={id}
          type="file"
          hidden
          accept=".json,.yaml,.yml,application/json,application/yaml"
          onChange={(event) => onTake(event.target.files?.[0])}
        />
      </div>
    </Property>
  )
}
