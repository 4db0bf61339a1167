'use client'
/**
 * Adds an OpenAI-compatible endpoint: a name, an address, and a key if it needs one; common ones can be
 * filled in.
 */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { ApiError, api } from '#components/data/client'
import { addressFault, addressHint } from '#components/models/provider-words'
import { Button } from '#components/ui/button'
import { describeError, ErrorNote } from '#components/ui/notice'
import { useFormFocus } from '#components/ui/use-form-focus'
import { type KnownEndpoint, knownEndpoints } from '#lib/spec/endpoints'
import { keyVariable } from '#lib/spec/variables'
import { providerName } from '#lib/wire/providers'
import { SecretProperty, TextProperty } from './properties'
import styles from './settings.module.css'
import { useRefreshKeys } from './use-refresh-keys'

const nothing = { name: '', baseUrl: '', key: '' }

export function AddEndpoint({ taken }: { taken: readonly string[] }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  if (isOpen) return <NewEndpoint taken={taken} opener={opener} onClose={() => setOpen(false)} />
  return (
    <div>
      <Button ref={opener} icon="plus" onClick={() => setOpen(true)}>
        Add an OpenAI-compatible endpoint
      </Button>
    </div>
  )
}

interface NewEndpointProps {
  readonly taken: readonly string[]
  readonly opener: RefObject<HTMLElement | null>
  onClose(): void
}

function NewEndpoint({ taken, opener, onClose }: NewEndpointProps) {
  const refresh = useRefreshKeys()
  const focus = useFormFocus(opener, onClose)
  const [draft, setDraft] = useState(nothing)
  const adding = useMutation({
    mutationFn: async ({ name, baseUrl, key }: typeof nothing) => {
      await api.providers.save(name, { baseUrl, ...(key !== '' && { key }) })
      // Tested right away, since whether it answers is the next question.
      await api.providers.test(name).catch(() => undefined)
    },
    onSuccess: onClose,
    onSettled: refresh,
  })
  const take = ({ name, baseUrl }: KnownEndpoint) =>
    setDraft({ ...draft, name: freeOf(name, taken), baseUrl })
  const name = draft.name.trim()
  const faults = {
    name: nameFault(name, taken),
    baseUrl: addressFault(draft.baseUrl),
  }
  const isReady =
    name !== '' && draft.baseUrl.trim() !== '' && faults.name === undefined && faults.baseUrl === undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) adding.mutate({ name, baseUrl: draft.baseUrl.trim(), key: draft.key.trim() })
  }
  const refused = adding.error instanceof ApiError ? adding.error.path : undefined
  const fault = (field: 'name' | 'baseUrl' | 'key') =>
    refused === field ? describeError(adding.error).what : field === 'key' ? undefined : faults[field]
  const needsKey = knownEndpoints.some((each) => each.baseUrl === draft.baseUrl && each.needsKey)
  return (
    <form {...focus} className={styles.adding} onSubmit={submit} aria-label="Add an endpoint">
      <div className={styles.presets} role="group" aria-label="Known endpoints">
        {knownEndpoints.map((each) => (
          <Button
            key={each.name}
            size="s"
            pressed={draft.baseUrl === each.baseUrl || undefined}
            title={each.baseUrl}
            onClick={() => take(each)}
          >
            {each.label}
          </Button>
        ))}
      </div>
      <TextProperty
        label="Name"
        hint="The name agents use; it is saved in their file."
        error={fault('name')}
        value={draft.name}
        onChange={(value) => setDraft({ ...draft, name: value })}
      />
      <TextProperty
        label="Address"
        hint={
          addressHint(draft.baseUrl) ??
          'The base URL its docs give for OpenAI clients, as in http://127.0.0.1:11434/v1.'
        }
        error={fault('baseUrl')}
        value={draft.baseUrl}
        onChange={(value) => setDraft({ ...draft, baseUrl: value })}
        mono
        inputMode="url"
      />
      <SecretProperty
        label="Key"
        error={fault('key')}
        hint={
          needsKey
            ? `This service requires a key. In the environment and on the command line, it is ${keyVariable(name || 'endpoint')}.`
            : 'Only if the server requires one; a model on this machine rarely does.'
        }
        value={draft.key}
        onChange={(value) => setDraft({ ...draft, key: value })}
      />
      {adding.isError && refused === undefined && <ErrorNote error={adding.error} />}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={!isReady || adding.isPending}>
          {adding.isPending ? 'Adding and testing…' : 'Add and test'}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function nameFault(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return undefined
  if (taken.includes(name)) return 'An endpoint with this name already exists.'
  return providerName.safeParse(name).success
    ? undefined
    : 'Lowercase letters, digits, single hyphens and underscores, as in “ollama”.'
}

function freeOf(name: string, taken: readonly string[]): string {
  let free = name
  for (let n = 2; taken.includes(free); n++) free = `${name}-${n}`
  return free
}
