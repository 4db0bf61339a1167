'use client'
/** The chat with one agent for the holder of a key, which is in the address behind the #. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError, api } from '#components/data/client'
import { setPageKey } from '#components/data/page-key'
import { RunProvider } from '#components/run/run-context'
import { Loading } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { describeError } from '#components/ui/notice'
import { PageNotice } from '#components/ui/page-notice'
import { keyForm } from '#lib/spec/agent-key'
import type { OwnKey } from '#lib/wire/agent-keys'
import styles from './chat.module.css'
import { chatAgentOfKey } from './chat-agent'
import { ChatRegions } from './chat-regions'

const askGiver = 'Ask whoever gave you this link for another one.'

export function KeyChatPage({ name }: { name: string }) {
  const key = useKeyInAddress()
  const own = useQuery({
    queryKey: ['key', key],
    queryFn: ({ signal }) => api.ownKey(signal),
    enabled: key !== null && isWhole(key),
    retry: (count, error) => count < 1 && !(error instanceof ApiError && error.status < 500),
    refetchOnWindowFocus: false,
  })
  if (key !== null && !isWhole(key))
    return (
      <PageNotice
        isAlert
        icon="key-round"
        title="This link is not complete"
        text={`The key behind the # is missing or cut. ${askGiver}`}
      />
    )
  if (own.isError)
    return (
      <PageNotice
        isAlert
        icon="circle-x"
        title={describeError(own.error).what.replace(/\.$/, '')}
        text={isRefused(own.error) ? askGiver : 'Nothing was changed.'}
      >
        {!isRefused(own.error) && (
          <Button variant="quiet" onClick={() => void own.refetch()}>
            Try again
          </Button>
        )}
      </PageNotice>
    )
  if (own.data === undefined)
    return <Loading what="the chat" heights={['100%', '100%']} className={styles.loading} as="main" />
  const wrong = misfit(own.data, name)
  if (wrong !== undefined) return <PageNotice isAlert icon="circle-x" title={wrong} text={askGiver} />
  return (
    <RunProvider>
      <KeyChat key={key} own={own.data} />
    </RunProvider>
  )
}

function KeyChat({ own }: { own: OwnKey }) {
  const [agent] = useState(() => chatAgentOfKey(own))
  return <ChatRegions agent={agent} />
}

/** The text behind the #; null until the page runs in the browser. A link with another key is followed. */
function useKeyInAddress(): string | null {
  const client = useQueryClient()
  const [key, setKey] = useState<string | null>(null)
  useEffect(() => {
    const read = () => {
      const text = window.location.hash.slice(1)
      // What another key has read must not be shown for this one.
      client.clear()
      setPageKey(text === '' ? null : text)
      setKey(text)
    }
    read()
    window.addEventListener('hashchange', read)
    return () => {
      window.removeEventListener('hashchange', read)
      setPageKey(null)
    }
  }, [client])
  return key
}

const whole = new RegExp(`^${keyForm}$`)

function isWhole(key: string): boolean {
  return whole.test(key)
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403 || error.status === 404)
}

function misfit({ use, agent }: OwnKey, name: string): string | undefined {
  if (use !== 'chat') return 'This key does not open a chat'
  return agent.name === name ? undefined : 'This key belongs to another agent'
}
