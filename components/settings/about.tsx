'use client'
/**
 * Facts about this server: what it is, where its data is stored, how to stop it and how to delete everything.
 */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '#components/data/client'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import type { SettingsView } from '#lib/wire/settings'
import styles from './settings.module.css'

export function About() {
  const settings = useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => api.settings(signal) })
  if (settings.isError) {
    return <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />
  }
  return settings.data === undefined ? <Skeleton height={160} /> : <Facts server={settings.data.server} />
}

function Facts({ server: { version, dataFolder, url, token } }: Pick<SettingsView, 'server'>) {
  return (
    <dl className={styles.facts}>
      <Fact name="Version">Loopwright {version}</Fact>
      <Fact name="Address">
        <code>{url}</code>
      </Fact>
      <Fact name="Access">
        {token ? <SignedIn /> : 'No token is required; only this machine can reach the server.'}
      </Fact>
      <Fact name="Data folder">
        <code>{dataFolder}</code>
      </Fact>
      <Fact name="API">
        <a className={shared.link} href="/api/openapi.json" target="_blank" rel="noreferrer">
          All routes, as OpenAPI
        </a>
      </Fact>
      <Fact name="Agent file">
        <a className={shared.link} href="/schema/agent-v1.json" target="_blank" rel="noreferrer">
          The JSON Schema of an agent
        </a>
        , for editors and your own checks.
      </Fact>
      <Fact name="Stop">
        Press Ctrl+C in the terminal where it was started. Unfinished runs continue at the next start.
      </Fact>
      <Fact name="Delete">
        Stop the server, then delete the data folder with all agents, runs and settings. The files of the
        databases that you added are not deleted.
      </Fact>
    </dl>
  )
}

/** Signing out removes the cookie of this browser; the page then asks for the token again. */
function SignedIn() {
  const leaving = useMutation({
    mutationFn: () => api.signOut(),
    onSuccess: () => window.location.assign('/'),
  })
  return (
    <>
      Every request requires the token.{' '}
      <Button size="s" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
        Sign out
      </Button>
      {leaving.isError && <ErrorNote error={leaving.error} />}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
