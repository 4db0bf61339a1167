'use client'
/** The tool as each format and each service writes it for a model. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#components/data/client'
import { Spinner } from '#components/ui/bits'
import { Select } from '#components/ui/field'
import { JsonText } from '#components/ui/json-text'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import type { TrialTool } from '#lib/wire/trials'
import styles from './tool-view.module.css'

export function Reads({ agentId, tool }: { agentId: string; tool: TrialTool }) {
  const [chosen, setChosen] = useState('')
  const written = useQuery({
    queryKey: ['agents', agentId, 'renderings'],
    queryFn: ({ signal }) => api.agents.toolRenderingsOf(agentId, signal),
    retry: false,
  })
  if (written.isPending)
    return (
      <p className={styles.writing} role="status">
        <Spinner /> Writing it in each format.
      </p>
    )
  if (written.isError) return <ErrorNote error={written.error} onRetry={() => void written.refetch()} />
  const renderings = written.data.items.find(({ name }) => name === tool.name)?.renderings ?? []
  const [first] = renderings
  if (first === undefined)
    return <p className={shared.quiet}>The model is not offered this tool, so it reads nothing of it.</p>
  const shown = renderings.find((each) => keyOf(each) === chosen) ?? first
  return (
    <div className={styles.reads}>
      <Select
        aria-label="Format"
        value={keyOf(shown)}
        onChange={setChosen}
        options={renderings.map((each) => ({ value: keyOf(each), label: each.label }))}
      />
      <JsonText text={shown.text} />
      {shown.call !== undefined && shown.call !== '' && (
        <>
          <p className={shared.caption}>A call, with made-up arguments</p>
          <JsonText text={shown.call} />
        </>
      )}
    </div>
  )
}

function keyOf({ format, provider = '' }: { readonly format: string; readonly provider?: string }): string {
  return `${format} ${provider}`
}
