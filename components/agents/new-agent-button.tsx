'use client'
/** Creates an agent. The button makes an empty one; its menu offers the templates and pasted JSON. */
import { useState } from 'react'
import { useTemplates } from '#components/data/agents'
import { Kbd } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Menu } from '#components/ui/menu'
import { ErrorNote } from '#components/ui/notice'
import styles from './agents-page.module.css'
import { PasteDialog } from './import-dialogs'
import { isFilled, useTemplate } from './templates'
import type { Importing } from './use-import'
import type { useNewAgent } from './use-new-agent'

interface NewAgentButtonProps {
  readonly fresh: ReturnType<typeof useNewAgent>
  readonly importing: Importing
  /** Whether it is the first thing to do on the page. */
  readonly isFirst: boolean
}

export function NewAgentButton({ fresh, importing, isFirst }: NewAgentButtonProps) {
  const templates = useTemplates()
  const begin = useTemplate()
  const [isPasting, setPasting] = useState(false)
  const items = [
    ...(templates.data?.items ?? []).filter(isFilled).map((each) => ({
      label: each.title,
      icon: each.icon,
      run: () => begin.mutate(each),
    })),
    { label: 'Paste JSON', icon: 'file-braces', beginsGroup: true, run: () => setPasting(true) },
  ]
  return (
    <span className={styles.fresh}>
      <Button
        variant={isFirst ? 'primary' : 'plain'}
        icon="plus"
        onClick={fresh.make}
        disabled={fresh.isMaking || begin.isPending}
      >
        New agent <Kbd>N</Kbd>
      </Button>
      <Menu label="New agent from a template" icon="chevron-down" items={items} />
      {begin.isError && <ErrorNote error={begin.error} advice="The agent was not created. Try again." />}
      {isPasting && (
        <PasteDialog
          onClose={() => setPasting(false)}
          onPaste={(text) => {
            setPasting(false)
            importing.paste(text)
          }}
        />
      )}
    </span>
  )
}
