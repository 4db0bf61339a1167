'use client'
/** How many runs wait for a person, on every page: a number in the bar and before the title of the tab. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '#components/data/client'
import { Icon } from '#components/ui/icon'
import { NearLink } from '#components/ui/near-link'
import styles from './top-bar.module.css'

export function WaitingCount() {
  const { data } = useQuery({
    queryKey: ['runs', 'waiting'],
    queryFn: ({ signal }) => api.runs.list({ status: 'waiting', limit: 1 }, signal),
    // A server that restarts answers again later.
    refetchInterval: ({ state }) => (state.status === 'error' ? 15_000 : 5_000),
    // A background tab is where the mark is most useful.
    refetchIntervalInBackground: true,
    retry: false,
  })
  const [first] = data?.items ?? []
  const count = data?.total ?? 0
  useMarkedTitle(count)
  if (first === undefined) return null
  const words = count === 1 ? 'A run waits for you' : `${count} runs wait for you`
  return (
    <NearLink
      href={count === 1 ? `/runs/${encodeURIComponent(first.id)}` : '/runs?status=waiting'}
      className={styles.waiting}
      aria-label={words}
      title={words}
    >
      <Icon name="hand" size={14} />
      {count}
    </NearLink>
  )
}

const mark = /^\(\d+\) /

/** Pages set their own titles, so the mark is added again after each change. */
function useMarkedTitle(count: number): void {
  useEffect(() => {
    const put = () => {
      const plain = document.title.replace(mark, '')
      const marked = count === 0 ? plain : `(${count}) ${plain}`
      if (document.title !== marked) document.title = marked
    }
    put()
    const observer = new MutationObserver(put)
    observer.observe(document.head, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [count])
}
