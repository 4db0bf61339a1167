'use client'
/** What to enter in other programs, for a key that is not shown any more: its place is marked. */
import { useState } from 'react'
import { Segmented } from '#components/ui/segmented'
import shared from '#components/ui/shared.module.css'
import type { KeyUse } from '#lib/spec/agent-key'
import styles from './connect.module.css'
import { useLabels } from './key-words'
import { WayTexts } from './way-texts'
import { keyPlace, mcpUrl, waysOf } from './ways'

interface HowToProps {
  readonly agent: { readonly id: string; readonly name: string }
  readonly url: string
}

export function HowTo({ agent, url }: HowToProps) {
  const [use, setUse] = useState<KeyUse>('mcp')
  const outlet = { url, agent, key: null }
  return (
    <>
      <div>
        <Segmented<KeyUse>
          label="What to connect"
          value={use}
          onChange={setUse}
          options={(['mcp', 'chat', 'api'] as const).map((value) => ({ value, label: useLabels[value] }))}
        />
      </div>
      {use === 'mcp' && (
        <p className={styles.plain}>
          As long as it has a key for MCP, the agent is an MCP server with one tool at{' '}
          <code>{mcpUrl(outlet)}</code>. Put the key in place of <code>{keyPlace}</code>.
        </p>
      )}
      {use !== 'mcp' && (
        <p className={styles.plain}>
          Put the key in place of <code>{keyPlace}</code>.
        </p>
      )}
      <WayTexts key={use} label="Programs" ways={waysOf(use, outlet)} />
      {use === 'mcp' && (
        <p className={shared.quiet}>
          Not supported yet: clients that can only sign in with OAuth and cannot send a header, such as
          claude.ai, the Connectors of Claude Desktop, and ChatGPT.
        </p>
      )}
    </>
  )
}
