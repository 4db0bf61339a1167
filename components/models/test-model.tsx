'use client'
/**
 * Tests one model of a provider: in which formats it makes a correct tool call, format by format, and which
 * to choose.
 */
import { type FormEvent, useId, useState } from 'react'
import { useCatalog } from '#components/data/agents'
import { useModels } from '#components/data/models'
import { Button } from '#components/ui/button'
import { ComboField } from '#components/ui/combo-field'
import { Property, Select } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import type { ProviderView } from '#lib/wire/providers'
import { addressOf, namesOf } from './entry'
import { bestGuess } from './model-names'
import styles from './test-model.module.css'
import { TestResults } from './test-results'
import { useModelTest } from './use-model-test'

export interface TestModelProps {
  readonly provider: ProviderView
  /** Closes the test. */
  onClose(): void
}

export function TestModel({ provider, onClose }: TestModelProps) {
  const id = useId()
  const { kind, endpoint } = { kind: provider.kind, ...addressOf(provider) }
  const [api, setApi] = useState<string>(kind)
  const [typed, setTyped] = useState<string | null>(null)
  const apis = useApis(kind)
  const names = useNames(provider, api, endpoint)
  const model = (typed ?? bestGuess(names) ?? '').trim()
  const testing = useModelTest(provider.name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (model !== '' && !testing.isRunning) testing.start({ model, ...(api !== kind && { provider: api }) })
  }
  return (
    <form className={styles.panel} onSubmit={submit} aria-label={`Test a model of ${provider.label}`}>
      <Property
        label="Model"
        htmlFor={`${id}-model`}
        hint="It is asked for the same small call in each format: a few short requests, at its usual price."
      >
        <ComboField
          id={`${id}-model`}
          value={typed ?? model}
          onChange={(name) => {
            testing.forget()
            setTyped(name)
          }}
          suggestions={names}
          placeholder="the model’s name"
        />
      </Property>
      {apis.length > 1 && (
        <Property label="API" htmlFor={`${id}-api`}>
          <Select
            id={`${id}-api`}
            value={api}
            onChange={(chosen) => {
              testing.forget()
              setApi(chosen)
            }}
            options={apis}
          />
        </Property>
      )}
      <div className={styles.buttons}>
        {testing.isRunning ? (
          <Button onClick={testing.stop}>Stop</Button>
        ) : (
          <Button type="submit" disabled={model === ''}>
            Test this model
          </Button>
        )}
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      {testing.error !== null && <ErrorNote error={testing.error} />}
      <TestResults testing={testing} />
    </form>
  )
}

/** The provider's own API, and those that share its address. */
function useApis(kind: string): { value: string; label: string }[] {
  const providers = useCatalog().data?.providers ?? []
  return providers
    .filter(({ id, endpoint }) => id === kind || endpoint === kind)
    .map(({ id, label }) => ({ value: id, label }))
}

function useNames(provider: ProviderView, api: string, endpoint: string | undefined): string[] {
  const known = useModels().data?.items ?? []
  const listed = namesOf(known, { provider: api, ...(endpoint !== undefined && { endpoint }) })
  return listed.length > 0 ? listed : [...(provider.test?.models ?? [])]
}
