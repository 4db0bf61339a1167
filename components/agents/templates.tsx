'use client'
/** Templates of agents, each created and opened by one click. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { keys, useTemplates } from '#components/data/agents'
import { api } from '#components/data/client'
import { slugOf } from '#components/drawing/agent-name'
import { Skeleton, Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { Tile } from '#components/ui/tile'
import type { JsonObject } from '#lib/spec/json'
import type { Template } from '#lib/wire/agents'
import styles from './templates.module.css'

export function Templates() {
  const templates = useTemplates()
  const begin = useTemplate()
  return (
    <section aria-labelledby="templates">
      <header className={styles.head}>
        <h2 id="templates">Start from a template</h2>
        <p>Each runs at once with the scripted model, which is not an AI and needs no key</p>
      </header>
      {templates.isPending && <Skeleton height={112} />}
      {templates.isError && (
        <ErrorNote error={templates.error}>
          <Button size="s" onClick={() => void templates.refetch()}>
            Try again
          </Button>
        </ErrorNote>
      )}
      {templates.data !== undefined && (
        <ul className={styles.templates}>
          {templates.data.items.map((each) => (
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
      {begin.isError && <ErrorNote error={begin.error} advice="The agent was not made. Try again." />}
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

/** The template's config under the template's own title; the blank one makes an agent without a title yet. */
function titledConfig({ id, title, config }: Template): JsonObject {
  const own = id === 'blank' ? 'Untitled agent' : title
  return { ...config, name: slugOf(own), title: own }
}

/** Creates an agent from a template, under the next free name, and opens it. */
function useTemplate() {
  const router = useRouter()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (template: Template) => api.agents.importFile(JSON.stringify(titledConfig(template)), true),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: keys.agents })
      router.push(`/agents/${encodeURIComponent(id)}`)
    },
  })
}
