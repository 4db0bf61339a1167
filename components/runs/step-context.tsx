'use client'
/**
 * The contents of the request of a step, as one bar and four rows: the share of each part, and the change
 * since the previous step.
 */
import { ApiError } from '#components/data/client'
import { count } from '#components/run/figures'
import { Skeleton } from '#components/ui/bits'
import shared from '#components/ui/shared.module.css'
import type { StepRequest } from '#lib/wire/runs'
import { changeText, contextParts } from './context-parts'
import styles from './step-context.module.css'
import detail from './step-detail.module.css'

export interface StepContextProps {
  /** Undefined while it is loading. */
  readonly context: StepRequest['context'] | undefined
  /** The request of the previous step; null where there is none or it could not be loaded. */
  readonly before: StepRequest['context'] | null
  readonly error: unknown
}

export function StepContext({ context, before, error }: StepContextProps) {
  return (
    <section className={detail.section} aria-label="Context sent">
      {context === undefined ? (
        <>
          <h3 className={detail.label}>Context sent</h3>
          {error === null ? <Skeleton height={100} /> : <p className={shared.quiet}>{reasonOf(error)}</p>}
        </>
      ) : (
        <Parts context={context} before={before} />
      )}
    </section>
  )
}

function Parts({ context, before }: { context: StepRequest['context']; before: StepContextProps['before'] }) {
  const { parts, total, window } = contextParts(context, before)
  const hasChange = parts.some(({ change }) => change !== null)
  return (
    <>
      <h3 className={detail.label}>
        Context sent
        <span className={detail.note} title="Counted by Loopwright; the provider may count differently">
          {count(total)}
          {window !== null && ` of ${count(window)}`} tokens
        </span>
      </h3>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(
          ({ id, tokens }) => tokens > 0 && <span key={id} data-part={id} style={{ flexGrow: tokens }} />,
        )}
      </div>
      <table className={styles.legend}>
        <thead className={shared.unseen}>
          <tr>
            <th>Part</th>
            <th>Tokens</th>
            <th>Share</th>
            {hasChange && <th>Since the previous step</th>}
          </tr>
        </thead>
        <tbody>
          {parts.map(({ id, label, tokens, percent, change }) => (
            <tr key={id}>
              <th scope="row">
                <i data-part={id} aria-hidden="true" />
                {label}
              </th>
              <td>{count(tokens)}</td>
              <td className={styles.share}>{percent} %</td>
              {hasChange && (
                <td className={styles.change} data-same={change === 0 || undefined}>
                  {change === null ? '' : changeText(change)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 422)
    return 'It can no longer be shown, because a part that this run used no longer exists.'
  return error instanceof Error ? error.message : String(error)
}
