'use client'
/** What can be done with an agent from its card: duplicate, export, delete. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { Menu } from '#components/ui/menu'
import { ErrorNote } from '#components/ui/notice'
import type { AgentList, AgentSummary } from '#lib/http/agents'
import { api } from '#lib/http/client'
import { download } from './download'
import { keys } from './queries'
import { renamed } from './starter'

export function AgentMenu({ agent, title }: { agent: AgentSummary; title: string }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: keys.agents })
  const duplicate = useMutation({
    mutationFn: async () => {
      const [{ graph }, catalog] = await Promise.all([api.agents.get(agent.id), api.catalog()])
      const taken = new Set(client.getQueryData<AgentList>(keys.agents)?.items.map((each) => each.name))
      return api.agents.create({ graph: renamed(graph, catalog, taken) })
    },
    onSuccess: refresh,
  })
  const remove = useMutation({
    mutationFn: () => api.agents.remove(agent.id),
    onSuccess: () => {
      setAsking(false)
      return refresh()
    },
  })
  const items = [
    { label: 'Duplicate', icon: 'copy', run: () => duplicate.mutate() },
    ...(agent.runnable
      ? [
          {
            label: 'Export JSON',
            icon: 'download',
            run: () => download({ href: api.agents.exportUrl(agent.id), name: `${agent.name}.json` }),
          },
        ]
      : []),
    { label: 'Delete', icon: 'trash-2', danger: true, run: () => setAsking(true) },
  ]
  return (
    <div>
      <Menu label={`More for ${title}`} size="s" items={items} />
      {duplicate.isError && (
        <Dialog
          title="The copy was not made"
          onClose={() => duplicate.reset()}
          actions={<Button onClick={() => duplicate.reset()}>Close</Button>}
        >
          <ErrorNote error={duplicate.error} />
        </Dialog>
      )}
      {isAsking && (
        <Dialog
          title={`Delete “${title}”?`}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>Keep it</Button>
              <Button variant="primary" onClick={() => remove.mutate()} disabled={remove.isPending}>
                Delete
              </Button>
            </>
          }
        >
          <p>
            The drawing and its published versions are deleted for good. Its runs stay and can still be
            opened.
          </p>
          {remove.isError && <ErrorNote error={remove.error} />}
        </Dialog>
      )}
    </div>
  )
}
