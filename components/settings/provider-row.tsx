'use client'
/** One provider: its state, its test, its form while it is edited, and where to use it once it answers. */
import { useRef, useState } from 'react'
import { useProviderTest } from '#components/data/models'
import { isUnreached, keyWords, providerState, testWords } from '#components/models/provider-words'
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
          mend={isEdited ? undefined : mendOf(provider)}
          onMend={() => setEdited(true)}
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
  mend,
  onMend,
}: {
  provider: ProviderView
  test: ProviderTest
  isReady: boolean
  isModelTested: boolean
  onTestModel(): void
  /** The words of the button that opens the form, if that may help. */
  mend: string | undefined
  onMend(): void
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
      {mend !== undefined && (
        <Button size="s" onClick={onMend}>
          {mend}
        </Button>
      )}
    </div>
  )
}

/** What a person can correct after a failed test. */
function mendOf({ key, test }: ProviderView): string | undefined {
  if (test === null || test.ok) return undefined
  if (isUnreached(test.code)) return 'Correct the address'
  return key === null ? 'Enter a key' : test.code === 'auth' ? 'Replace the key' : undefined
}
