'use client'
/** A provider's address, key and idle limit. Values set by the environment are shown but cannot be edited. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useId, useState } from 'react'
import { ApiError, api } from '#components/data/client'
import { useProviderTest } from '#components/data/models'
import {
  addressFault,
  addressHint,
  changesOf,
  draftOf,
  idleFault,
  isAdded,
  keyWords,
  type ProviderDraft,
  testWords,
} from '#components/models/provider-words'
import { Button } from '#components/ui/button'
import { Property, Switch } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { describeError, ErrorNote } from '#components/ui/notice'
import { NumberProperty } from '#components/ui/number-property'
import shared from '#components/ui/shared.module.css'
import { useFormFocus } from '#components/ui/use-form-focus'
import { addressVariable, endpointVariable } from '#lib/spec/variables'
import type { ProviderTest, ProviderView, SaveProvider } from '#lib/wire/providers'
import { SecretProperty, TextProperty } from './properties'
import styles from './settings.module.css'
import { useRefreshKeys } from './use-refresh-keys'

export interface ProviderFormProps {
  readonly provider: ProviderView
  readonly opener: RefObject<HTMLElement | null>
  onClose(): void
}

export function ProviderForm({ provider, opener, onClose }: ProviderFormProps) {
  const refresh = useRefreshKeys()
  const focus = useFormFocus(opener, onClose)
  const [draft, setDraft] = useState(() => draftOf(provider))
  const asking = useProviderTest(provider.name)
  const changes = changesOf(draft, provider)
  const saving = useMutation({
    mutationFn: (body: SaveProvider) => api.providers.save(provider.name, body),
    onSuccess: async ({ ready }) => {
      await refresh()
      // The saved settings are tested without another click.
      if (ready) asking.mutate(undefined)
      onClose()
    },
  })
  const removal = useMutation({
    mutationFn: () => api.providers.remove(provider.name),
    onSuccess: async () => {
      onClose()
      await refresh()
    },
  })
  const change = (next: ProviderDraft) => {
    // The test result was for another address or key.
    asking.reset()
    setDraft(next)
  }
  const isUnchanged = Object.keys(changes).length === 0
  const isBad = addressFault(draft.baseUrl) !== undefined || idleFault(draft.idleSeconds) !== undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isUnchanged && !isBad) saving.mutate(changes)
  }
  const refused = saving.error instanceof ApiError ? saving.error.path : undefined
  const fault = (field: string) => (refused === field ? describeError(saving.error).what : undefined)
  return (
    <form {...focus} className={styles.edit} onSubmit={submit} aria-label={`Edit ${provider.label}`}>
      <Fields provider={provider} draft={draft} onChange={change} fault={fault} />
      {saving.isError && refused === undefined && <ErrorNote error={saving.error} />}
      {removal.isError && <ErrorNote error={removal.error} />}
      {asking.isError && <ErrorNote error={asking.error} />}
      {asking.data !== undefined && <TriedWords test={asking.data} />}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={isUnchanged || isBad || saving.isPending}>
          Save and test
        </Button>
        <Button disabled={isBad || asking.isPending} onClick={() => asking.mutate(changes)}>
          {asking.isPending ? 'Testing…' : 'Test without saving'}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Removal provider={provider} isBusy={removal.isPending} onRemove={() => removal.mutate()} />
      </div>
    </form>
  )
}

function TriedWords({ test }: { test: ProviderTest }) {
  return (
    <p className={styles.tried} data-ok={test.ok || undefined} role="status">
      <Icon name={test.ok ? 'circle-check' : 'circle-x'} size={14} />
      <span>{testWords(test)}</span>
    </p>
  )
}

interface FieldsProps {
  readonly provider: ProviderView
  readonly draft: ProviderDraft
  onChange(draft: ProviderDraft): void
  fault(field: string): string | undefined
}

function Fields({ provider, draft, onChange, fault }: FieldsProps) {
  const id = useId()
  const { name, baseUrl, baseUrlFrom } = provider
  const isFixed = baseUrlFrom === 'environment'
  const typedFault = addressFault(draft.baseUrl) ?? fault('baseUrl')
  const silenceFault = idleFault(draft.idleSeconds) ?? fault('idleSeconds')
  // Depends on the saved value, not the draft: otherwise clearing the field would remove it while it is
  // edited.
  const isMoreShown = provider.idleSeconds !== null || provider.promptCache === true
  const own = isAdded(provider) ? '' : 'If empty, the service’s own address is used.'
  return (
    <>
      <TextProperty
        label="Address"
        hint={
          isFixed
            ? `Set by ${isAdded(provider) ? endpointVariable(name) : addressVariable(name)} in the environment; change it there.`
            : (addressHint(draft.baseUrl) ?? own)
        }
        error={typedFault}
        value={isFixed ? (baseUrl ?? '') : draft.baseUrl}
        onChange={(value) => onChange({ ...draft, baseUrl: value })}
        placeholder={baseUrlFrom === 'default' ? (baseUrl ?? '') : ''}
        disabled={isFixed}
        mono
        inputMode="url"
      />
      <KeyField provider={provider} draft={draft} onChange={onChange} error={fault('key')} />
      <details className={styles.more} open={isMoreShown || undefined}>
        <summary>More</summary>
        <NumberProperty
          label="Silence limit"
          error={silenceFault}
          hint="How long the model may send nothing before its answer counts as stalled: 5 to 3,600 seconds. Slow local models need more."
          value={draft.idleSeconds}
          onChange={(value) =>
            onChange({ ...draft, idleSeconds: value === undefined ? undefined : Math.round(value) })
          }
          unit="s"
          placeholder="60, or 120 before the first word"
        />
        {isAdded(provider) && (
          <Property
            label="Prompt cache"
            htmlFor={`${id}-cache`}
            hint="Sends prompt_cache_key with long requests, so that the endpoint finds what it has cached of earlier ones. If it refuses the key, requests go without it."
          >
            <Switch
              id={`${id}-cache`}
              checked={draft.promptCache}
              onChange={(promptCache) => onChange({ ...draft, promptCache })}
              label="Prompt cache"
            />
          </Property>
        )}
      </details>
    </>
  )
}

interface KeyFieldProps {
  readonly provider: ProviderView
  readonly draft: ProviderDraft
  readonly error: string | undefined
  onChange(draft: ProviderDraft): void
}

function KeyField({ provider, draft, error, onChange }: KeyFieldProps) {
  const { key } = provider
  if (key?.from === 'environment') {
    return (
      <Property label="Key" hint="Set by the environment; change it there.">
        <span className={styles.fixed}>{keyWords(provider)}</span>
      </Property>
    )
  }
  const kept = draft.isKeyForgotten ? 'will be removed when you save' : `${keyWords(provider)} is kept`
  return (
    <SecretProperty
      label="Key"
      hint="Stored encrypted on this server, sent only to this address, never shown again."
      error={error}
      value={draft.key}
      onChange={(value) => onChange({ ...draft, key: value, isKeyForgotten: false })}
      placeholder={key === null ? '' : `${kept}; type to replace it`}
      beside={
        key !== null && (
          <Button
            pressed={draft.isKeyForgotten}
            onClick={() => onChange({ ...draft, key: '', isKeyForgotten: !draft.isKeyForgotten })}
          >
            {draft.isKeyForgotten ? 'Will be removed' : 'Remove key'}
          </Button>
        )
      }
    />
  )
}

/** Removes an added endpoint; a built-in service returns to its defaults. */
function Removal({
  provider,
  isBusy,
  onRemove,
}: {
  provider: ProviderView
  isBusy: boolean
  onRemove(): void
}) {
  const [isSure, setSure] = useState(false)
  const { baseUrlFrom, key, idleSeconds } = provider
  const isOwn = isAdded(provider)
  const hasOwn = baseUrlFrom === 'settings' || key?.from === 'settings' || idleSeconds !== null
  // An endpoint of the environment is removed there.
  if (isOwn ? baseUrlFrom === 'environment' : !hasOwn) return null
  const word = isOwn ? 'Remove endpoint' : 'Reset to defaults'
  return (
    <span className={styles.removal}>
      {isSure ? (
        <>
          <span className={shared.plain}>
            {isOwn ? 'Agents that use it stop working.' : 'Its key is removed too.'}
          </span>
          <Button icon="trash-2" disabled={isBusy} onClick={onRemove}>
            {isOwn ? 'Remove' : 'Reset'}
          </Button>
        </>
      ) : (
        <Button variant="quiet" icon="trash-2" onClick={() => setSure(true)}>
          {word}
        </Button>
      )}
    </span>
  )
}
