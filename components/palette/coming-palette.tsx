'use client'
/** What is there until the palette is rendered: the key of its search. */
import { useMemo } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { searchCommand } from './search-command'

export function ComingPalette({ onSearch }: { onSearch(): void }) {
  useCommands(useMemo(() => [searchCommand(onSearch)], [onSearch]))
  return null
}
