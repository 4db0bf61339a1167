'use client'
/** Signing in to an MCP server: the address that the person opens themselves, and the client id where one is needed. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { ApiError, api } from '#components/data/client'
import { useMcpServers } from '#components/data/mcp'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import { Property } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { useFormFocus } from '#components/ui/use-form-focus'
import { useLatest } from '#components/ui/use-latest'
import { visible } from '#lib/spec/visible'
import type { McpServerView } from '#lib/wire/mcp-servers'
import { type BegunMcpSignIn, mcpCallbackPath } from '#lib/wire/mcp-sign-in'
import { SecretProperty, TextProperty } from '../properties'
import styles from '../settings.module.css'
import own from './mcp.module.css'

interface SignInProps {
  readonly server: McpServerView
  /** Asks for the scopes that the sign-in lacks, and keeps those it has. */
  readonly isWider: boolean
  readonly opener: RefObject<HTMLElement | null>
  onClose(): void
  onSignedIn(): void
}

export function SignIn({ server, isWider, opener, onClose, onSignedIn }: SignInProps) {
  const { name } = server
  const focus = useFormFocus(opener, onClose)
  const [client, setClient] = useState<{ id: string; secret: string } | null>(null)
  const beginning = useMutation({
    mutationFn: (given: { id: string; secret: string } | null) =>
      api.mcpServers.signIn(name, {
        ...(isWider && { widen: true }),
        ...(given !== null && { clientId: given.id.trim() }),
        ...(given !== null && given.secret !== '' && { clientSecret: given.secret }),
      }),
  })
  const { mutate } = beginning
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    mutate(null)
  }, [mutate])
  const needsClient = beginning.error instanceof ApiError && beginning.error.path === 'clientId'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (client !== null && client.id.trim() !== '') beginning.mutate(client)
  }
  return (
    <form {...focus} className={own.signIn} onSubmit={submit} aria-label={`Sign in to ${name}`}>
      {beginning.isPending && (
        <p className={own.waiting} role="status">
          <Spinner />
          Asking {name} how to sign in…
        </p>
      )}
      {beginning.isError && (
        <ErrorNote
          error={withoutPlace(beginning.error)}
          onRetry={needsClient ? undefined : () => mutate(client)}
        />
      )}
      {(needsClient || client !== null) && beginning.data === undefined && (
        <ClientFields client={client ?? { id: '', secret: '' }} onChange={setClient} />
      )}
      {beginning.data !== undefined && <Address name={name} begun={beginning.data} onDone={onSignedIn} />}
      <div className={styles.buttons}>
        {(needsClient || client !== null) && beginning.data === undefined && (
          <Button
            type="submit"
            variant="primary"
            disabled={client === null || client.id.trim() === '' || beginning.isPending}
          >
            Go on
          </Button>
        )}
        {client === null && !needsClient && (
          <Button
            variant="quiet"
            onClick={() => setClient({ id: '', secret: '' })}
            hidden={beginning.isPending}
          >
            Use a client id of mine
          </Button>
        )}
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** The place is the field below, which the message names by itself. */
function withoutPlace(error: unknown): unknown {
  return error instanceof ApiError ? new Error(error.message) : error
}

interface ClientFieldsProps {
  readonly client: { readonly id: string; readonly secret: string }
  onChange(client: { id: string; secret: string }): void
}

function ClientFields({ client, onChange }: ClientFieldsProps) {
  const redirect = `${window.location.origin}${mcpCallbackPath}`
  return (
    <>
      <Property label="Redirect" hint="Register Loopwright at the service with this address.">
        <span className={own.redirect}>
          <code>{redirect}</code>
          <CopyButton label="Copy the redirect address" text={() => redirect} />
        </span>
      </Property>
      <TextProperty
        label="Client id"
        hint="What the service gives you for it."
        value={client.id}
        onChange={(next) => onChange({ ...client, id: next })}
        mono
      />
      <SecretProperty
        label="Client secret"
        hint="Only if the service gives one. Stored encrypted, sent only to its authorization server."
        value={client.secret}
        onChange={(secret) => onChange({ ...client, secret })}
      />
    </>
  )
}

/** The address is shown whole and opened by nobody but the person. */
function Address({ name, begun, onDone }: { name: string; begun: BegunMcpSignIn; onDone(): void }) {
  const servers = useMcpServers(true)
  const link = useRef<HTMLAnchorElement>(null)
  const signIn = servers.data?.items.find((each) => each.name === name)?.signIn
  const isDone = signIn?.state === 'signed_in' && (signIn.signedInAt ?? 0) > begun.expiresAt - lifeMs
  const finish = useLatest(onDone)
  useEffect(() => {
    link.current?.focus()
  }, [])
  useEffect(() => {
    if (isDone) finish.current()
  }, [isDone])
  return (
    <div className={own.address}>
      <p>
        {name} lets you sign in at <b>{visible(new URL(begun.issuer).host)}</b>. Open this address, and come
        back here:
      </p>
      <p className={own.open}>
        <Icon name="key-round" size={14} />
        <a ref={link} href={begun.address} target="_blank" rel="noopener noreferrer">
          {visible(begun.address)}
        </a>
        <CopyButton label="Copy the address" text={() => begun.address} />
      </p>
      <p className={own.waiting} role="status">
        <Spinner />
        Waiting for you to sign in. The address works for ten minutes, in this browser.
      </p>
    </div>
  )
}

const lifeMs = 10 * 60_000
