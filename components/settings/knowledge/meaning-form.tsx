'use client'
/** Chooses the model that compares texts by meaning, and shows how far it has read. */
import { type FormEvent, useId, useState } from 'react'
import { useEmbeddings, useSaveEmbeddings } from '#components/data/recall'
import { count, plural } from '#components/run/figures'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Property, Select } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import type { EmbeddingsView } from '#lib/wire/knowledge'
import { TextProperty } from '../properties'
import settings from '../settings.module.css'
import styles from './knowledge.module.css'

export function MeaningForm() {
  const view = useEmbeddings()
  if (view.data === undefined) return null
  const { provider, name } = view.data.model ?? { provider: '', name: '' }
  return <Form key={`${provider}/${name}`} view={view.data} />
}

const none = ''

function Form({ view }: { view: EmbeddingsView }) {
  const id = useId()
  const [provider, setProvider] = useState(view.model?.provider ?? none)
  const [name, setName] = useState(view.model?.name ?? '')
  const saving = useSaveEmbeddings()
  const model = provider === none ? null : { provider, name: name.trim() }
  const isSame = model?.provider === view.model?.provider && model?.name === view.model?.name
  const isReady = model === null || model.name !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !isSame) saving.mutate({ model })
  }
  const names = [...new Set([...view.providers, ...(view.model === null ? [] : [view.model.provider])])]
  return (
    <form className={settings.adding} onSubmit={submit} aria-label="Search by meaning">
      <Property
        label="Search by meaning"
        htmlFor={id}
        hint="A model of embeddings also finds what says the same in other words. All passages and memories are sent to its provider."
      >
        <Select
          id={id}
          value={provider}
          onChange={(next) => {
            saving.reset()
            setProvider(next)
          }}
          options={[
            { value: none, label: 'off, by words alone' },
            ...names.map((each) => ({ value: each, label: each })),
          ]}
        />
      </Property>
      {provider !== none && (
        <TextProperty
          label="Model"
          hint="As the provider names it, for example text-embedding-3-small or nomic-embed-text."
          value={name}
          onChange={(next) => {
            saving.reset()
            setName(next)
          }}
        />
      )}
      {saving.isError && <ErrorNote error={saving.error} />}
      {!isSame && (
        <div className={settings.buttons}>
          <Button type="submit" variant="primary" disabled={!isReady || saving.isPending}>
            {model === null ? 'Turn off' : 'Test and use'}
          </Button>
          {saving.isPending && <Spinner size={12} />}
        </div>
      )}
      {isSame && view.model !== null && (
        <Reading
          view={view}
          isPending={saving.isPending}
          onRetry={() => saving.mutate({ model: view.model })}
        />
      )}
    </form>
  )
}

interface ReadingProps {
  readonly view: EmbeddingsView
  readonly isPending: boolean
  onRetry(): void
}

function Reading({ view: { texts, done, refused, problem }, isPending, onRetry }: ReadingProps) {
  return (
    <>
      <div className={styles.progress} role="status">
        {done < texts && problem === undefined && <Spinner size={12} />}
        <span>
          {count(done)} of {count(texts)} texts read
        </span>
        {done < texts && <progress max={texts} value={done} aria-label="Texts read" />}
      </div>
      {problem !== undefined && (
        <p className={styles.fault} role="alert">
          <Icon name="triangle-alert" size={14} /> {problem} The search goes on by words.
        </p>
      )}
      {refused !== undefined && (
        <div className={styles.refused}>
          <p>
            <Icon name="triangle-alert" size={14} />
            <span>
              The model refused {plural(refused.count, 'text')}, so{' '}
              {refused.count === 1 ? 'it is found by its' : 'they are found by their'} words only.
            </span>
            <Button size="s" disabled={isPending} onClick={onRetry}>
              Try again
            </Button>
          </p>
          <ul aria-label="Refused texts">
            {refused.first.map(({ text, problem: why }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two texts may be equal, and the list is replaced whole
              <li key={at}>
                <span className={styles.refusedText} title={text}>
                  {text}
                </span>
                <small>{why}</small>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
