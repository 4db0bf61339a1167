'use client'
/** Publishes what is drawn as the next version, which never changes again. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useGraph } from '#components/canvas/graph-context'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { ErrorNote } from '#components/ui/notice'
import { api } from '#lib/http/client'
import type { JsonObject } from '#lib/spec/json'
import type { Autosave } from './autosave'
import { keys } from './queries'

export function Publish({ agentId, autosave }: { agentId: string; autosave: Autosave }) {
  const client = useQueryClient()
  const config = useGraph((state) => state.compiled.config)
  const versions = useQuery({
    queryKey: keys.versions(agentId),
    queryFn: ({ signal }) => api.agents.versions.list(agentId, signal),
  })
  const publish = useMutation({
    mutationFn: async () => {
      if (!(await autosave.flush())) throw new Error('What is drawn could not be saved first.')
      return api.agents.versions.publish(agentId, autosave.revision())
    },
    onSuccess: () => client.invalidateQueries({ queryKey: keys.agents }),
  })
  const newest = versions.data?.items.reduce<{ version: number; config: JsonObject } | undefined>(
    (found, each) => (found === undefined || each.version > found.version ? each : found),
    undefined,
  )
  const isSame = newest !== undefined && config !== null && behaviour(newest.config) === behaviour(config)
  const next = (newest?.version ?? 0) + 1
  return (
    <>
      <Button
        onClick={() => publish.mutate()}
        disabled={config === null || isSame || publish.isPending || versions.isPending}
        title={titleFor({ isSame, hasErrors: config === null, next })}
      >
        {isSame ? `v${newest.version} published` : `Publish v${next}`}
      </Button>
      {publish.isError && (
        <Dialog
          title="Not published"
          onClose={() => publish.reset()}
          actions={<Button onClick={() => publish.reset()}>Close</Button>}
        >
          <ErrorNote error={publish.error} />
        </Dialog>
      )}
    </>
  )
}

/** Where things stand on the canvas makes no new version. */
function behaviour({ canvas: _canvas, ...config }: JsonObject): string {
  return JSON.stringify(config)
}

function titleFor({
  isSame,
  hasErrors,
  next,
}: {
  isSame: boolean
  hasErrors: boolean
  next: number
}): string {
  if (hasErrors) return 'Nothing to publish while the drawing has errors'
  return isSame
    ? 'Nothing has changed since this version'
    : `Keep what is drawn now as version ${next}, which never changes`
}
