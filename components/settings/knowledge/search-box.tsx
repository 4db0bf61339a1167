'use client'
/** Shows what a question finds in the collections, with the score of each passage and where it comes from. */
import { type FormEvent, useState } from 'react'
import { useSearchCollections } from '#components/data/recall'
import { Passages } from '#components/observation/recall-view'
import { plural } from '#components/run/figures'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Select, TextField } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import type { FoundPassages } from '#lib/wire/knowledge'
import styles from './knowledge.module.css'

const all = ''

export function SearchBox({ collections }: { collections: readonly string[] }) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(all)
  const search = useSearchCollections()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (query.trim() === '') return
    const within = collections.includes(chosen) ? [chosen] : collections.slice(0, 20)
    search.mutate({ query: query.trim(), collections: [...within] })
  }
  return (
    <div className={styles.searching}>
      <form className={styles.searchForm} role="search" aria-label="Search collections" onSubmit={submit}>
        <TextField
          icon="search"
          value={query}
          onChange={setQuery}
          placeholder="Ask a question to see what it finds"
          aria-label="Question"
          autoComplete="off"
        />
        {collections.length > 1 && (
          <Select
            value={chosen}
            onChange={setChosen}
            aria-label="Collection"
            options={[
              { value: all, label: 'all collections' },
              ...collections.map((name) => ({ value: name, label: name })),
            ]}
          />
        )}
        <Button type="submit" disabled={query.trim() === '' || search.isPending}>
          Search
        </Button>
        {search.isPending && <Spinner size={12} />}
      </form>
      {search.isError && <ErrorNote error={search.error} />}
      {search.data !== undefined && <Found found={search.data} />}
    </div>
  )
}

function Found({ found: { passages, terms, byMeaning, durationMs } }: { found: FoundPassages }) {
  const how = byMeaning ? 'by words and by meaning' : 'by words'
  const looked = terms.length === 0 ? 'no words' : terms.join(', ')
  return (
    <>
      <p className={styles.summary} role="status">
        {passages.length === 0 ? 'Nothing fits.' : `${plural(passages.length, 'passage')} found ${how}`}
        {passages.length === 0 ? ' ' : ` in ${durationMs < 1 ? 'under 1' : durationMs} ms. `}
        Looked for: {looked}.
      </p>
      {passages.length > 0 && (
        <div className={styles.passages}>
          <Passages passages={passages} isShort />
        </div>
      )}
    </>
  )
}
