'use client'
/** What a region shows instead of its content: that it is empty, or what failed. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { type Diagnostic, diagnostic } from '#lib/spec/errors'
import { shortenText } from '#lib/spec/line'
import { visible } from '#lib/spec/visible'
import { Button } from './button'
import { Icon } from './icon'
import { Line } from './line'
import styles from './notice.module.css'
import shared from './shared.module.css'

/** One sentence and one action, in place of the content. */
export function Empty({ icon, title, children }: { icon?: string; title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      {icon !== undefined && <Icon name={icon} size={20} />}
      <p>{title}</p>
      {children}
    </div>
  )
}

/** A failure in three parts: what happened, where, and what to do. Takes an `ApiError` or anything thrown. */
export function ErrorNote({
  error,
  advice,
  onRetry,
  children,
}: {
  error: unknown
  advice?: string
  /** Shows a button to try again. */
  onRetry?(): void
  children?: ReactNode
}) {
  const told = describeError(error)
  return (
    <div className={styles.error} role="alert">
      <Icon name="circle-x" size={16} className={styles.errorMark} />
      <div>
        <p className={shared.prose}>{shortenMessage(told.what)}</p>
        {told.where !== undefined && !told.what.includes(told.where) && (
          <p className={styles.where}>
            at{' '}
            <code>
              <Line text={told.where} />
            </code>
          </p>
        )}
        {told.more.map(({ path, message }) => (
          <p key={`${path} ${message}`} className={styles.where}>
            also {path !== undefined && <code>{path}</code>} {shortenMessage(message)}
          </p>
        ))}
        {(advice ?? told.advice) !== undefined && <p className={styles.advice}>{advice ?? told.advice}</p>}
        {(children ?? onRetry) !== undefined && (
          <div className={styles.actions}>
            {children}
            {onRetry !== undefined && (
              <Button size="s" onClick={onRetry}>
                Try again
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

/** Characters. A service may answer with a whole page as its error message. */
const longestWords = 4_000

function shortenMessage(text: string): string {
  return visible(shortenText(text, longestWords))
}

/** Something deleted does not come back, so there is nothing to retry. */
export function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'not_found'
}

const adviceOf: Readonly<Record<string, string>> = {
  invalid_json: 'Check the file for a missing comma, bracket or quote, and try again. Nothing was changed.',
  invalid_config: 'Correct the place named here in the file, and try again. Nothing was changed.',
  invalid_graph: 'Undo the last edit, and try again.',
  name_taken: 'Choose another name.',
  stale_revision: 'Load the newer one, or save yours as a copy.',
  too_large: 'Make it smaller, and try again. Nothing was changed.',
  not_found: 'Go back to the list.',
  unauthorized: 'Open the page again with this server’s token.',
  not_compiled: 'Fix the errors listed under Problems first.',
  unavailable: 'Try again in a moment. If it fails again, look at the server’s log.',
}

export interface ErrorWords {
  readonly what: string
  readonly where?: string
  /** Findings after the one in the message. */
  readonly more: readonly Diagnostic[]
  readonly advice?: string
}

export function describeError(error: unknown): ErrorWords {
  if (typeof error !== 'object' || error === null) return { what: String(error), more: [] }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const path = 'path' in error && typeof error.path === 'string' && error.path !== '' ? error.path : undefined
  const message =
    'message' in error && typeof error.message === 'string' ? error.message : 'Something went wrong'
  if (code === undefined && error instanceof TypeError)
    return {
      what: 'The server cannot be reached.',
      more: [],
      advice: 'Check that Loopwright is still running, and try again.',
    }
  const advice = code === undefined ? undefined : adviceOf[code]
  return { what: message, where: path, more: findingsAfterFirst(error), advice }
}

const withFindings = z.object({ detail: z.object({ diagnostics: z.array(diagnostic) }) })
const mostMore = 5

/**
 * The message holds the first finding; the others are listed too, so that a person can fix all of them at
 * once.
 */
function findingsAfterFirst(error: object): Diagnostic[] {
  const read = withFindings.safeParse(error)
  return read.success ? read.data.detail.diagnostics.slice(1, 1 + mostMore) : []
}
