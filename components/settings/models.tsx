'use client'
/** The providers of models: the state of each with a test in one click, and endpoints that a person adds. */
import { useProviders } from '#components/data/models'
import { Skeleton } from '#components/ui/bits'
import { ErrorNote } from '#components/ui/notice'
import { AddEndpoint } from './add-endpoint'
import { ProviderRow } from './provider-row'
import styles from './settings.module.css'

export function Models() {
  const providers = useProviders()
  return (
    <>
      {providers.isPending && <Skeleton height={144} />}
      {providers.isError && <ErrorNote error={providers.error} onRetry={() => void providers.refetch()} />}
      {providers.data !== undefined && (
        <>
          <ul className={styles.list} aria-label="Providers">
            {providers.data.items.map((each) => (
              <ProviderRow key={each.name} provider={each} />
            ))}
          </ul>
          <AddEndpoint taken={providers.data.items.map((each) => each.name)} />
        </>
      )}
    </>
  )
}
