'use client'
/** One provider: its state, its test, its form while it is edited, and where to use it once it answers. */
import { useRef, useState } from 'react'
import { useProviderTest } from '#components/data/models'
import { keyWords, providerState, testWords } from '#components/models/provider-words'
import { TestModel } from '#components/models/test-model'
import { UseItButton } from '#components/models/use-it-in'
import { Spinner } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import type { ProviderTest, ProviderView } from '#lib/wire/providers'
import { ProviderForm } from './provider-form'
import styles from './settings.module.css'

export function ProviderRow({ provider }: { provider: ProviderView }) {
  const { name, label, baseUrl, key, test, ready } = provider
  const [isEdited, setEdited] = useState(false)
  const [isModelTested, setModelTested] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const asking = useProviderTest(name)
  const state = providerState(provider)
  return (
    <li className={styles.block} aria-label={label}>
      <div className={styles.item} data-kind="model">
        <Icon name="brain" size={14} />
        <b className={styles.label} title={label}>
          {label}
        </b>
        <span
          className={styles.where}
          title={baseUrl === null ? undefined : `${baseUrl}, ${keyWords(provider)}`}
        >
          <code>{baseUrl ?? 'no address'}</code>
          {(key !== null || ready) && <span className={styles.keyHint}>{keyWords(provider)}</span>}
        </span>
        <span className={styles.state} data-tone={state.tone}>
          <Icon name={state.icon} size={14} />
          {state.word}
        </span>
        <Button
          size="s"
          disabled={asking.isPending || baseUrl === null}
          onClick={() => asking.mutate(undefined)}
        >
          {asking.isPending ? <Spinner size={12} /> : null}
          Test
        </Button>
        <IconButton
          ref={opener}
          icon={isEdited ? 'chevron-up' : 'pencil'}
          size="s"
          label={isEdited ? `Close ${label}` : `Edit ${label}`}
          aria-expanded={isEdited}
          onClick={() => setEdited(!isEdited)}
        />
      </div>
      {state.advice !== undefined && baseUrl !== null && <p className={styles.advice}>{state.advice}</p>}
      {asking.isError && <ErrorNote error={asking.error} />}
      {test !== null && state.advice === undefined && !asking.isPending && (
        <Tested
          provider={provider}
          test={test}
          isReady={ready}
          isModelTested={isModelTested}
          onTestModel={() => setModelTested(!isModelTested)}
          onKey={key === null && !isEdited ? () => setEdited(true) : undefined}
        />
      )}
      {isModelTested && ready && <TestModel provider={provider} onClose={() => setModelTested(false)} />}
      {isEdited && <ProviderForm provider={provider} opener={opener} onClose={() => setEdited(false)} />}
    </li>
  )
}

function Tested({
  provider,
  test,
  isReady,
  isModelTested,
  onTestModel,
  onKey,
}: {
  provider: ProviderView
  test: ProviderTest
  isReady: boolean
  isModelTested: boolean
  onTestModel(): void
  /** Absent if there is a key, or its field is already open. */
  onKey: (() => void) | undefined
}) {
  return (
    <div className={styles.tested} data-ok={test.ok || undefined} role="status">
      <Icon name={test.ok ? 'circle-check' : 'circle-x'} size={14} />
      <span>{testWords(test)}</span>
      {isReady && (
        <Button size="s" variant="quiet" aria-expanded={isModelTested} onClick={onTestModel}>
          Test a model
        </Button>
      )}
      {test.ok && isReady && <UseItButton provider={provider} />}
      {!test.ok && onKey !== undefined && (
        <Button size="s" onClick={onKey}>
          Enter a key
        </Button>
      )}
    </div>
  )
}
