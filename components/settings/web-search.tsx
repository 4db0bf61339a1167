'use client'
/** The search service of this server: which one tools search the web with, its form, its test, and its removal. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { ApiError, api } from '#components/data/client'
import { Skeleton, Spinner } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { describeError, ErrorNote } from '#components/ui/notice'
import { RemovalDialog } from '#components/ui/removal-dialog'
import { Segmented } from '#components/ui/segmented'
import { useFormFocus } from '#components/ui/use-form-focus'
import { engineNames, type SearchEngine, searchEngines } from '#lib/spec/web-search'
import type { SaveWebSearch, WebSearchTest, WebSearchView } from '#lib/wire/web-search'
import { SecretProperty, TextProperty } from './properties'
import styles from './settings.module.css'
import { secretsKey } from './use-refresh-keys'
import {
  isSearchComplete,
  type SearchDraft,
  searchDraftOf,
  searchHints,
  searchIn,
  testWords,
} from './web-search-draft'

const webSearchKey = ['web-search']

function useRefreshSearch(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([webSearchKey, secretsKey].map((queryKey) => client.invalidateQueries({ queryKey })))
  }
}

export function WebSearch() {
  const search = useQuery({ queryKey: webSearchKey, queryFn: ({ signal }) => api.webSearch.get(signal) })
  if (search.isPending) return <Skeleton height={36} />
  if (search.isError) return <ErrorNote error={search.error} onRetry={() => void search.refetch()} />
  const { engine } = search.data
  return engine === null ? <SetUp /> : <Present search={{ ...search.data, engine }} />
}

/** One that is set up. */
type SetUpSearch = WebSearchView & { readonly engine: SearchEngine }

function Present({ search }: { search: SetUpSearch }) {
  const { engine, from, baseUrl, key, problem } = search
  const [isEdited, setEdited] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const refresh = useRefreshSearch()
  const name = engineNames[engine]
  const testing = useMutation({ mutationFn: () => api.webSearch.test() })
  const removal = useMutation({
    mutationFn: () => api.webSearch.remove(),
    onSuccess: async () => {
      setRemoving(false)
      await refresh()
    },
  })
  return (
    <ul className={styles.list} aria-label="Web search">
      <li className={styles.block} aria-label={name}>
        <div className={styles.item}>
          <Icon name="search" size={14} />
          <b>{name}</b>
          <span className={styles.where} title={baseUrl ?? undefined}>
            {baseUrl}
          </span>
          {key !== null && key.hint !== '' && <span className={styles.state}>key …{key.hint}</span>}
          {from === 'environment' && <span className={styles.state}>from the environment</span>}
          <Button size="s" disabled={testing.isPending} onClick={() => testing.mutate()}>
            {testing.isPending ? <Spinner size={12} /> : null}
            Test
          </Button>
          {from === 'settings' && (
            <>
              <IconButton
                ref={opener}
                icon={isEdited ? 'chevron-up' : 'pencil'}
                size="s"
                label={isEdited ? `Close ${name}` : `Edit ${name}`}
                aria-expanded={isEdited}
                onClick={() => setEdited(!isEdited)}
              />
              <IconButton
                icon="trash-2"
                size="s"
                label={`Remove ${name}`}
                onClick={() => setRemoving(true)}
              />
            </>
          )}
        </div>
        {problem !== undefined && !isEdited && <p className={styles.advice}>{problem}</p>}
        {testing.isError && <ErrorNote error={testing.error} />}
        {testing.data !== undefined && !isEdited && (
          <div className={styles.found}>
            <Found test={testing.data} />
          </div>
        )}
        {isEdited && <SearchForm search={search} opener={opener} onClose={() => setEdited(false)} />}
      </li>
      {isRemoving && (
        <RemovalDialog
          title={`Remove ${name}?`}
          verb="Remove"
          isPending={removal.isPending}
          error={removal.error}
          onRemove={() => removal.mutate()}
          onClose={() => setRemoving(false)}
        >
          <p>
            Agents can then no longer search the web: web.search and research.deep_search are withheld.
            {key?.secret !== undefined && ' The key is deleted.'}
          </p>
        </RemovalDialog>
      )}
    </ul>
  )
}

function SetUp() {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  if (isOpen) return <SearchForm opener={opener} onClose={() => setOpen(false)} />
  return (
    <>
      <p className={styles.quiet}>
        No service is set up, so web.search and research.deep_search are not offered to agents.
      </p>
      <div>
        <Button ref={opener} icon="plus" onClick={() => setOpen(true)}>
          Set up web search
        </Button>
      </div>
    </>
  )
}

interface SearchFormProps {
  readonly search?: SetUpSearch
  readonly opener: RefObject<HTMLElement | null>
  onClose(): void
}

function SearchForm({ search, opener, onClose }: SearchFormProps) {
  const refresh = useRefreshSearch()
  const focus = useFormFocus(opener, onClose)
  const [draft, setDraft] = useState<SearchDraft>(searchDraftOf(search))
  const saving = useMutation({
    mutationFn: (body: SaveWebSearch) => api.webSearch.save(body),
    onSuccess: async () => {
      onClose()
      await refresh()
    },
  })
  const testing = useMutation({ mutationFn: (body: SaveWebSearch) => api.webSearch.test(body) })
  /** What was said of other values says nothing of these. */
  const change = (next: SearchDraft) => {
    saving.reset()
    testing.reset()
    setDraft(next)
  }
  const isReady = isSearchComplete(draft, search)
  const refused = [saving.error, testing.error].find((each) => each !== null) ?? null
  const place = refused instanceof ApiError ? refused.path?.replace(/^search\//, '') : undefined
  const fault = (field: string) => (place === field ? describeError(refused).what : undefined)
  const hints = searchHints[draft.engine]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) saving.mutate(searchIn(draft))
  }
  const stored = search?.engine === draft.engine ? search.key : null
  return (
    <form
      {...focus}
      className={search === undefined ? styles.fields : styles.edit}
      onSubmit={submit}
      aria-label={search === undefined ? 'Set up web search' : `Edit ${engineNames[search.engine]}`}
    >
      <div>
        <Segmented<SearchEngine>
          label="Search service"
          value={draft.engine}
          onChange={(engine) =>
            change({ ...searchDraftOf(search?.engine === engine ? search : undefined), engine })
          }
          options={searchEngines.map((value) => ({ value, label: engineNames[value] }))}
        />
      </div>
      <TextProperty
        label="Address"
        hint={hints.address}
        error={fault('baseUrl')}
        value={draft.baseUrl}
        onChange={(baseUrl) => change({ ...draft, baseUrl })}
        placeholder={hints.usual}
        inputMode="url"
        mono
      />
      <SecretProperty
        label="Key"
        hint={hints.key}
        error={fault('key')}
        value={draft.key}
        onChange={(key) => change({ ...draft, key })}
        {...(stored !== null && {
          placeholder: `Stored${stored.hint === '' ? '' : `, ends in ${stored.hint}`}`,
        })}
      />
      {testing.data !== undefined && <Found test={testing.data} />}
      {refused !== null && place !== 'baseUrl' && place !== 'key' && <ErrorNote error={refused} />}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={!isReady || saving.isPending}>
          Save
        </Button>
        <Button disabled={!isReady || testing.isPending} onClick={() => testing.mutate(searchIn(draft))}>
          {testing.isPending ? 'Testing…' : 'Test'}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function Found({ test }: { test: WebSearchTest }) {
  const { tone, text } = testWords(test)
  return (
    <ul className={styles.findings} role="status">
      <li data-tone={tone}>
        <Icon
          name={tone === 'ok' ? 'circle-check' : tone === 'warn' ? 'triangle-alert' : 'circle-x'}
          size={14}
          className={styles.mark}
        />
        <span>{text}</span>
      </li>
    </ul>
  )
}
