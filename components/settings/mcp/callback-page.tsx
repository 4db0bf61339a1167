'use client'
/** Where an authorization server sends a person back: hands what it says to this server, and shows what came of it. */
import { useEffect, useState } from 'react'
import { api } from '#components/data/client'
import { describeError } from '#components/ui/notice'
import { PageNotice } from '#components/ui/page-notice'
import type { FinishMcpSignIn } from '#lib/wire/mcp-sign-in'
import own from './mcp.module.css'

type Outcome =
  | { readonly is: 'working' }
  | { readonly is: 'done'; readonly server: string }
  | { readonly is: 'failed'; readonly message: string }

export function CallbackPage() {
  const [outcome, setOutcome] = useState<Outcome>({ is: 'working' })
  useEffect(() => {
    void finishOnce().then(setOutcome)
  }, [])
  switch (outcome.is) {
    case 'working':
      return (
        <PageNotice icon="key-round" title="Finishing the sign-in…" text="This takes a moment.">
          {null}
        </PageNotice>
      )
    case 'done':
      return (
        <PageNotice
          icon="circle-check"
          title={`Signed in to ${outcome.server}`}
          text="You can close this page, or go back to Settings."
        >
          <BackLink />
        </PageNotice>
      )
    case 'failed':
      return (
        <PageNotice icon="circle-x" title="Not signed in" text={outcome.message} isAlert>
          <BackLink />
        </PageNotice>
      )
    default:
      throw outcome satisfies never
  }
}

/** Not the router’s link: this page may be open without the operator’s cookie, and the next one is not. */
function BackLink() {
  return (
    <a className={own.back} href="/settings#mcp">
      MCP servers in Settings
    </a>
  )
}

let work: Promise<Outcome> | undefined

/** A sign-in can be finished only once, and React may run an effect twice. */
function finishOnce(): Promise<Outcome> {
  work ??= finish()
  return work
}

async function finish(): Promise<Outcome> {
  const given = new URLSearchParams(window.location.search)
  // The code must not stay in the address or in the history of the browser.
  window.history.replaceState(null, '', window.location.pathname)
  const state = given.get('state')
  if (state === null)
    return {
      is: 'failed',
      message: 'This page is opened by a service at which you sign in, and nothing else.',
    }
  try {
    const { server } = await api.mcpServers.finishSignIn(bodyOf(state, given))
    return { is: 'done', server }
  } catch (error) {
    return { is: 'failed', message: describeError(error).what }
  }
}

function bodyOf(state: string, given: URLSearchParams): FinishMcpSignIn {
  const [code, iss, error, why] = ['code', 'iss', 'error', 'error_description'].map(
    (name) => given.get(name) ?? undefined,
  )
  return {
    state,
    ...(code !== undefined && { code }),
    ...(iss !== undefined && { iss }),
    ...(error !== undefined && { error }),
    ...(why !== undefined && { error_description: why }),
  }
}
