'use client'
/** The secrets with which requests of an API are signed: one for each scheme that the chosen operations need. */
import { useId } from 'react'
import { useApiDocument } from '#components/data/apis'
import { Button } from '#components/ui/button'
import { Property, TextField } from '#components/ui/field'
import shared from '#components/ui/shared.module.css'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { OpenapiDocumentDetail } from '#lib/wire/openapi-documents'
import { documentNameIn, schemesNeeded } from './api-operations'
import type { ControlProps } from './change'
import { withKey } from './fields'
import styles from './form.module.css'
import { Nested } from './nested'
import { SecretNames } from './secret-field'

interface AuthProps extends ControlProps {
  readonly holder: JsonObject
}

type Scheme = OpenapiDocumentDetail['schemes'][number]

export function ApiAuthField({ label, hint, error, value, holder, onChange }: AuthProps) {
  const detail = useApiDocument(documentNameIn(holder.document))
  const held = isObject(value) ? value : {}
  const needed = schemesNeeded(holder.operations)
  const names = [...new Set([...needed, ...Object.keys(held)])]
  if (names.length === 0) return null
  const set = (name: string, next: JsonValue | undefined) => {
    const after = withKey(held, name, next)
    onChange(Object.keys(after).length === 0 ? undefined : after)
  }
  return (
    <Nested label={label} hint={hint} error={error}>
      {names.map((name) => (
        <SchemeField
          key={name}
          name={name}
          scheme={detail.data?.schemes.find((each) => each.name === name)}
          value={held[name]}
          isNeeded={needed.includes(name)}
          onChange={(next) => set(name, next)}
        />
      ))}
    </Nested>
  )
}

interface SchemeProps {
  readonly name: string
  /** Undefined while the document is not known here. */
  readonly scheme: Scheme | undefined
  readonly value: JsonValue | undefined
  readonly isNeeded: boolean
  onChange(value: JsonValue | undefined): void
}

function SchemeField({ name, scheme, value, isNeeded, onChange }: SchemeProps) {
  const id = useId()
  const held = isObject(value) ? value : undefined
  const fresh = scheme && freshAuth(scheme)
  if (held === undefined && fresh === undefined)
    return (
      <Property label={name}>
        <p className={shared.caption}>
          {scheme?.type === 'unsupported'
            ? `${scheme.what ?? 'This way'} is not supported. If you have a token, put it into the header Authorization below, as a secret.`
            : 'The document is not here, so it is not known how to sign.'}
        </p>
      </Property>
    )
  const shown = held ?? fresh ?? {}
  const secret = typeof held?.secret === 'string' ? held.secret : ''
  return (
    <Property label={name} htmlFor={id} hint={wayWords(shown)}>
      <div className={styles.stack}>
        {shown.type === 'basic' && (
          <TextField
            value={typeof shown.user === 'string' ? shown.user : ''}
            onChange={(user) => onChange({ ...shown, user })}
            placeholder="user name"
            aria-label={`User name for ${name}`}
          />
        )}
        <SecretNames
          id={id}
          chosen={secret}
          onChange={(next) => onChange(isObject(next) ? { ...shown, secret: next.secret ?? '' } : undefined)}
        />
        {!isNeeded && (
          <Button size="s" variant="quiet" icon="x" onClick={() => onChange(undefined)}>
            Remove, since no operation needs it
          </Button>
        )}
      </div>
    </Property>
  )
}

/** Undefined for a scheme that no secret can be used for. */
function freshAuth({ type, in: place, key }: Scheme): JsonObject | undefined {
  switch (type) {
    case 'apiKey':
      return { type, in: place ?? 'header', name: key ?? '' }
    case 'bearer':
      return { type }
    case 'basic':
      return { type, user: '' }
    case 'unsupported':
      return undefined
  }
  return type satisfies never
}

function wayWords({ type, in: place, name }: JsonObject): string {
  if (type === 'bearer') return 'Sent as a bearer token.'
  if (type === 'basic') return 'Sent as a user name and a password.'
  return `Sent in the ${place === 'query' ? 'query parameter' : String(place)} ${String(name)}.`
}
