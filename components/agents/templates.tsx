'use client'
/** Templates of agents, each created and opened by one click. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { keys, useTemplates } from '#components/data/agents'
import { ApiError } from '#components/data/call'
import { api } from '#components/data/client'
import { Skeleton, Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { Tile } from '#components/ui/tile'
import type { JsonObject } from '#lib/spec/json'
import type { Template } from '#lib/wire/agents'
import styles from './templates.module.css'

export function Templates() {
  const templates = useTemplates()
  const begin = useTemplate()
  const items = templates.data?.items.filter(isFilled)
  return (
    <section aria-labelledby="templates">
      <header className={styles.head}>
        <h2 id="templates">Start from a template</h2>
        <p>Each works right away with a scripted model, which is not an AI and needs no key</p>
      </header>
      {templates.isPending && <Skeleton height={112} />}
      {templates.isError && <ErrorNote error={templates.error} onRetry={() => void templates.refetch()} />}
      {items !== undefined && (
        <ul className={styles.templates}>
          {items.map((each) => (
            <TemplateRow
              key={each.id}
              template={each}
              isBusy={begin.isPending}
              isBegun={begin.isPending && begin.variables?.id === each.id}
              onBegin={() => begin.mutate(each)}
            />
          ))}
        </ul>
      )}
      {begin.isError && <ErrorNote error={begin.error} advice="The agent was not created. Try again." />}
    </section>
  )
}

interface TemplateRowProps {
  readonly template: Template
  readonly isBusy: boolean
  readonly isBegun: boolean
  onBegin(): void
}

function TemplateRow({
  template: { title, help, icon, family },
  isBusy,
  isBegun,
  onBegin,
}: TemplateRowProps) {
  return (
    <li>
      <button type="button" className={styles.template} disabled={isBusy} onClick={onBegin}>
        <Tile family={family} icon={icon} />
        <span className={styles.words}>
          <b>{title}</b>
          <span>{help}</span>
        </span>
        {isBegun ? <Spinner /> : <Icon name="arrow-right" size={14} />}
      </button>
    </li>
  )
}

/** The blank one is what "New agent" makes. */
export function isFilled({ id }: Pick<Template, 'id'>): boolean {
  return id !== 'blank'
}

/** Creates an agent from a template, under the next free name, and opens it. */
export function useTemplate() {
  const router = useRouter()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ config, others = [] }: Template) => {
      for (const other of others) await createMissing(other)
      return api.agents.importFile(JSON.stringify(config), true)
    },
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: keys.agents })
      router.push(`/agents/${encodeURIComponent(id)}`)
    },
  })
}

/** Creates an agent that a template calls, unless there is one of its name. */
async function createMissing(config: JsonObject): Promise<void> {
  try {
    await api.agents.importFile(JSON.stringify(config), false)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'name_taken')) throw error
  }
}
