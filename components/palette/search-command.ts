/** The command that searches the parts, which the page has from its first frame on. */
import type { Command } from '#components/commands/commands'

export function searchCommand(run: () => void): Command {
  return { id: 'palette.search', label: 'Search parts', group: 'Add', icon: 'search', keys: ['/'], run }
}
