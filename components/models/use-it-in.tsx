'use client'
/**
 * Chooses an agent that is to use a model of a provider from now on; its builder opens with the model in it.
 */
import { useEffect, useId, useRef, useState } from 'react'
import { useAgents, useCatalog } from '#components/data/agents'
import { useModels, useProviderTest } from '#components/data/models'
import { Skeleton, Spinner } from '#components/ui/bits'
import { Button, ButtonLink } from '#components/ui/button'
import { ComboField } from '#components/ui/combo-field'
import { Dialog } from '#components/ui/dialog'
import { Property, Select } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import type { CatalogProvider } from '#lib/spec/catalog'
import type { AgentSummary } from '#lib/wire/agents'
import type { ProviderView } from '#lib/wire/providers'
import { digestModel } from './drawn'
import { addressOf, isDemo, isScripted, type ModelEntry, namesOf, placeOf, shortName } from './entry'
import { bestGuess, chatFirst } from './model-names'
import styles from './use-it-in.module.css'
import { useModelInAgent } from './use-model'

export interface UseItInProps {
  /** At least one; if there are several, a person chooses. */
  readonly providers: readonly ProviderView[]
  onClose(): void
}

export function UseItIn({ providers, onClose }: UseItInProps) {
  const [name, setName] = useState(providers[0]?.name)
  const provider = providers.find((each) => each.name === name) ?? providers[0]
  return (
    <Dialog wide title="Use it in an agent" onClose={onClose}>
      {providers.length > 1 && (
        <Property label="Provider" htmlFor="use-it-provider">
          <Select
            id="use-it-provider"
            value={provider?.name ?? ''}
            onChange={setName}
            options={providers.map((each) => ({ value: each.name, label: each.label }))}
          />
        </Property>
      )}
      {provider !== undefined && <Choice key={provider.name} provider={provider} />}
    </Dialog>
  )
}

function Choice({ provider }: { provider: ProviderView }) {
  const id = useId()
  const { models, isAsking, problem } = useModelNames(provider)
  const [typed, setTyped] = useState<string | null>(null)
  const chosen = (typed ?? bestGuess(models) ?? '').trim()
  const putting = useModelInAgent()
  const put = (agentId: string) =>
    putting.mutate({ agentId, entry: { ...addressOf(provider), name: chosen } })
  return (
    <>
      <Property
        label="Model"
        htmlFor={id}
        hint={isAsking ? `Loading the models of ${provider.label}…` : hintOf(models, chosen, problem)}
      >
        <ComboField
          id={id}
          value={typed ?? chosen}
          onChange={setTyped}
          suggestions={models}
          placeholder={isAsking ? '' : 'the model’s name'}
        />
      </Property>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          <Icon name="circle-x" size={14} />
          <span>{problem}</span>
          <ButtonLink size="s" variant="plain" href="/settings#models">
            Open Settings
          </ButtonLink>
        </p>
      )}
      <Agents
        entry={chosen === '' ? null : { ...addressOf(provider), name: chosen }}
        busy={putting.isPending || putting.isSuccess ? putting.variables.agentId : null}
        onChoose={put}
      />
      {putting.isError && <ErrorNote error={putting.error} />}
    </>
  )
}

/** The provider's known models; fetched now if they are not known yet. */
function useModelNames(provider: ProviderView) {
  const known = useModels()
  const test = useProviderTest(provider.name)
  const { mutate } = test
  const listed = namesOf(known.data?.items ?? [], addressOf(provider))
  const isKnown = provider.test?.ok === true || listed.length > 0
  const isUnknown = !isKnown && !known.isPending
  const isAsked = useRef(false)
  useEffect(() => {
    if (!isUnknown || isAsked.current) return
    isAsked.current = true
    mutate(undefined)
  }, [isUnknown, mutate])
  const told = test.data ?? provider.test
  const failed = test.error instanceof Error ? test.error.message : null
  return {
    models: told?.ok === true ? chatFirst(told.models, (name) => name) : listed,
    isAsking: !isKnown && (known.isPending || test.isPending || test.isIdle),
    problem: isKnown ? null : (failed ?? (told?.ok === false ? told.message : null)),
  }
}

function hintOf(models: readonly string[], chosen: string, problem: string | null): string {
  if (problem !== null) return ''
  if (models.length === 0) return 'This endpoint lists no models. Enter the name of the model.'
  if (chosen !== '' && !models.includes(chosen)) return 'Not in the list. It will be used as you typed it.'
  return models.length === 1
    ? 'The only model of this endpoint.'
    : `Suggested from ${models.length} models. Type to find another.`
}

interface AgentsProps {
  readonly entry: ModelEntry | null
  /** The id of the agent that is being changed. */
  readonly busy: string | null
  onChoose(agentId: string): void
}

function Agents({ entry, busy, onChoose }: AgentsProps) {
  const agents = useAgents()
  const catalog = useCatalog()
  if (agents.error !== null) return <ErrorNote error={agents.error} />
  if (agents.data === undefined || catalog.isPending) return <Skeleton height={120} />
  const items = demoFirst(agents.data.items)
  if (items.length === 0) {
    return (
      <p className={styles.none}>
        There are no agents yet. Create one under Agents, then choose the model in its run box.
      </p>
    )
  }
  return (
    <div>
      <h3 className={styles.heading}>Choose an agent for this model</h3>
      <ul className={styles.agents}>
        {items.map(({ agent, model }) => (
          <li key={agent.id}>
            <button
              type="button"
              className={styles.agent}
              disabled={entry === null || busy !== null}
              onClick={() => onChoose(agent.id)}
            >
              <Icon name="bot" size={14} />
              <b className={shared.cut}>{agent.title || agent.name}</b>
              <span className={shared.cut}>
                {model === null ? 'no model chosen' : `now ${nowWords(model, catalog.data?.providers ?? [])}`}
              </span>
              {busy === agent.id ? <Spinner /> : <Icon name="arrow-right" size={14} />}
            </button>
          </li>
        ))}
      </ul>
      <p className={styles.none}>It becomes the agent’s model, and the builder opens.</p>
    </div>
  )
}

function nowWords(model: ModelEntry, providers: readonly CatalogProvider[]): string {
  return isScripted(model) ? shortName(model) : `${model.name}, ${placeOf(model, providers)}`
}

/** Agents without a real model first; newest first within each half. */
function demoFirst(agents: readonly AgentSummary[]): { agent: AgentSummary; model: ModelEntry | null }[] {
  const rank = (model: ModelEntry | null) => (model === null || isDemo(model) ? 0 : 1)
  return agents
    .map((agent) => ({ agent, model: digestModel(agent.digest) }))
    .sort((a, b) => rank(a.model) - rank(b.model) || b.agent.updatedAt - a.agent.updatedAt)
}

/** The button next to a provider that is ready. */
export function UseItButton({ provider }: { provider: ProviderView }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="s" icon="bot" onClick={() => setOpen(true)}>
        Use it in…
      </Button>
      {isOpen && <UseItIn providers={[provider]} onClose={() => setOpen(false)} />}
    </>
  )
}
