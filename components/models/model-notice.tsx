'use client'
/**
 * A note on the first page that a real model is available while agents still use the demo, with a link to use
 * it.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useAgents } from '#components/data/agents'
import { modelKeys, useModels, useProviders } from '#components/data/models'
import { Button, ButtonLink, IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { useRemembered } from '#components/ui/use-remembered'
import type { ProviderView } from '#lib/wire/providers'
import { digestModel } from './drawn'
import { isDemo } from './entry'
import styles from './model-notice.module.css'
import { noticeWords, setUpProviders, signOf } from './ready-providers'
import { UseItIn } from './use-it-in'

export function ModelNotice() {
  const providers = useProviders()
  const agents = useAgents()
  const ready = useMemo(() => setUpProviders(providers.data?.items ?? []), [providers.data])
  const [dismissed, dismiss] = useRemembered('model-notice')
  const demos = useMemo(() => {
    if (agents.data === undefined) return 0
    return agents.data.items.filter(({ digest }) => {
      const model = digestModel(digest)
      return model !== null && isDemo(model)
    }).length
  }, [agents.data])
  const sign = signOf(ready)
  if (ready.length === 0 || demos === 0 || dismissed === sign) return null
  return <Notice providers={ready} demos={demos} onDismiss={() => dismiss(sign)} />
}

interface NoticeProps {
  readonly providers: readonly ProviderView[]
  readonly demos: number
  onDismiss(): void
}

function Notice({ providers, demos, onDismiss }: NoticeProps) {
  const [isOpen, setOpen] = useState(false)
  // Fetched early, so that the dialog opens with a model chosen; it also tests the providers.
  const { dataUpdatedAt } = useModels()
  const client = useQueryClient()
  useEffect(() => {
    if (dataUpdatedAt > 0) void client.invalidateQueries({ queryKey: modelKeys.providers })
  }, [client, dataUpdatedAt])
  const isUsable = providers.some(({ test }) => test?.ok !== false)
  const { what, where } = noticeWords(providers)
  return (
    <section className={styles.notice} aria-label="A real model is available">
      <Icon name="brain" />
      <p>
        <b>{what}</b>
        {where !== null && (
          <>
            {' '}
            <code>{where}</code>
          </>
        )}
        <span>
          {demos === 1 ? 'One agent still uses' : `${demos} agents still use`} the scripted demo (not AI).
        </span>
      </p>
      {isUsable ? (
        <Button onClick={() => setOpen(true)}>Use it in…</Button>
      ) : (
        <ButtonLink variant="plain" href="/settings?back=/#models">
          Open Settings
        </ButtonLink>
      )}
      <IconButton icon="x" label="Do not show this again" onClick={onDismiss} />
      {isOpen && <UseItIn providers={providers} onClose={() => setOpen(false)} />}
    </section>
  )
}
