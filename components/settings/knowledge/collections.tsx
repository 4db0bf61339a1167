'use client'
/** The collections of this server: making one, its files, a search over all of them, and the model of embeddings. */
import { type FormEvent, useRef, useState } from 'react'
import { useCollections, useCreateCollection } from '#components/data/recall'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { describeError, Empty, ErrorNote } from '#components/ui/notice'
import { useFormFocus } from '#components/ui/use-form-focus'
import { TextProperty } from '../properties'
import styles from '../settings.module.css'
import { agentsNameOf, describedAs } from './collection-names'
import { CollectionRow } from './collection-row'
import { MeaningForm } from './meaning-form'
import { SearchBox } from './search-box'

export function Collections() {
  const collections = useCollections()
  const items = collections.data?.items ?? []
  const [isAdding, setAdding] = useState(false)
  const [opened, setOpened] = useState<string | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      {collections.isPending && <Skeleton height={36} />}
      {collections.isError && (
        <ErrorNote error={collections.error} onRetry={() => void collections.refetch()} />
      )}
      {collections.isSuccess && items.length === 0 && !isAdding && (
        <Empty icon="book-open" title="No collections yet">
          Make one and add documents, so that an agent can answer from them and name its sources.
        </Empty>
      )}
      {items.length > 0 && (
        <ul className={styles.list} aria-label="Collections">
          {items.map((each) => (
            <CollectionRow
              key={each.name}
              collection={each}
              isOpen={opened === each.name}
              onToggle={() => setOpened(opened === each.name ? null : each.name)}
            />
          ))}
        </ul>
      )}
      {isAdding ? (
        <AddCollection
          opener={opener}
          taken={new Set(items.map(({ name }) => name))}
          onMade={(name) => {
            setOpened(name)
            setAdding(false)
          }}
          onClose={() => setAdding(false)}
        />
      ) : (
        <div>
          <Button ref={opener} icon="plus" onClick={() => setAdding(true)}>
            Add a collection
          </Button>
        </div>
      )}
      {items.some(({ passages }) => passages > 0) && (
        <SearchBox collections={items.filter(({ passages }) => passages > 0).map(({ name }) => name)} />
      )}
      {/* Memories are compared by meaning too, also where there is no collection. */}
      <MeaningForm />
    </>
  )
}

interface AddProps {
  readonly opener: React.RefObject<HTMLButtonElement | null>
  /** The names of all collections. */
  readonly taken: ReadonlySet<string>
  onMade(name: string): void
  onClose(): void
}

function AddCollection({ opener, taken, onMade, onClose }: AddProps) {
  const focus = useFormFocus(opener, onClose)
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const making = useCreateCollection()
  const typed = name.trim()
  const agentsName = agentsNameOf(typed, taken)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed === '' || making.isPending) return
    making.mutate(
      { name: agentsName, description: describedAs(typed, agentsName, description.trim()) },
      { onSuccess: (made) => onMade(made.name) },
    )
  }
  return (
    <form {...focus} className={styles.adding} onSubmit={submit} aria-label="Add a collection">
      <TextProperty
        label="Name"
        hint={
          typed === ''
            ? 'Any name, for example Travel rules.'
            : typed === agentsName
              ? 'Agents use the same name.'
              : `Agents call it ${agentsName}.`
        }
        error={making.isError ? describeError(making.error).what : undefined}
        value={name}
        onChange={(next) => {
          making.reset()
          setName(next)
        }}
      />
      <TextProperty
        label="Description"
        hint="For people: what its documents are about."
        value={description}
        onChange={setDescription}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={typed === '' || making.isPending}>
          Add collection
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
