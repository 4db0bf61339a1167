'use client'
/** The workspace that all tries of an agent share: its files, and a way to add some. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '#components/data/client'
import { trialKeys } from '#components/data/trials'
import { size } from '#components/run/figures'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import styles from './try-panel.module.css'

export function TryFiles({ agentId, threadId }: { agentId: string; threadId: string | null }) {
  const chooser = useRef<HTMLInputElement>(null)
  const queries = useQueryClient()
  const files = useQuery({
    queryKey: trialKeys.files(threadId),
    queryFn: ({ signal }) => api.threads.files.list(threadId ?? '', signal),
    enabled: threadId !== null,
  })
  const upload = useMutation({
    mutationFn: async (given: readonly File[]) => {
      const { threadId: id } = await api.trials.thread(agentId)
      for (const each of given) await api.threads.files.upload(id, each)
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['threads', 'files'] })
      void queries.invalidateQueries({ queryKey: trialKeys.tools(agentId), exact: true })
    },
  })
  const items = files.data?.items ?? []
  return (
    <details className={styles.workspace}>
      <summary className={shared.caption}>Files for tries{items.length > 0 && ` (${items.length})`}</summary>
      <p className={shared.caption}>
        All tools of this agent share them while you try. Runs do not see them.
      </p>
      {items.length > 0 && (
        <ul className={styles.files}>
          {items.map(({ path, bytes }) => (
            <li key={path}>
              <Icon name="file-text" size={14} />
              <a href={api.threads.files.url(threadId ?? '', path)} download>
                <Line text={path} />
              </a>
              <span className={shared.caption}>{size(bytes)}</span>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button size="s" icon="upload" disabled={upload.isPending} onClick={() => chooser.current?.click()}>
          Add files
        </Button>{' '}
        {upload.isPending && <Spinner />}
      </div>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Files for tries"
        onChange={({ target }) => {
          const given = [...(target.files ?? [])]
          target.value = ''
          if (given.length > 0) upload.mutate(given)
        }}
      />
      {upload.isError && <ErrorNote error={upload.error} />}
      {files.isError && <ErrorNote error={files.error} onRetry={() => void files.refetch()} />}
    </details>
  )
}
