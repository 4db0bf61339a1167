'use client'
/**
 * A note on the first page that a real model is available while agents still use the demo, with a link to use
 * it.
 */
import { useMemo, useState } from 'react'
import { useAgents } from '#components/data/agents'
import { useModels, useProviders } from '#components/data/models'
import { Button, IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { useRemembered } from '#components/ui/use-remembered'
import type { ProviderView } from '#lib/wire/providers'
import { digestModel } from './drawn'
import { isDemo } from './entry'
import styles from './model-notice.module.css'
import { noticeWords, readyProviders, signOf } from './ready-providers'
import { UseItIn } from './use-it-in'

export function ModelNotice() {
  const providers = useProviders()
  const agents = useAgents()
  const ready = useMemo(() => readyProviders(providers.data?.items ?? []), [providers.data])
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
  // Fetched early, so that the dialog opens with a model chosen.
  useModels()
  const { what, where } = noticeWords(providers)
  return (
    <section className={styles.notice} aria-label="A real model is at hand">
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
          {demos === 1 ? 'One agent still answers' : `${demos} agents still answer`} by the scripted demo,
          which is no AI.
        </span>
      </p>
      <Button onClick={() => setOpen(true)}>Use it in…</Button>
      <IconButton icon="x" label="Do not show this again" onClick={onDismiss} />
      {isOpen && <UseItIn providers={providers} onClose={() => setOpen(false)} />}
    </section>
  )
}
