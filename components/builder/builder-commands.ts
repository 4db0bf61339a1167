/** The builder's commands apart from the canvas: ask, stop, save, and actions on the whole agent. */
import type { Command } from '#components/commands/commands'

export interface BuilderTarget {
  /** Runs the typed question, or focuses the question field. */
  ask(): void
  stop(): void
  isGoing(): boolean
  save(): void
  /** Whether the drawing compiles. */
  isWhole(): boolean
  rename(): void
  duplicate(): void
  chat(): void
  /** The chat without the bar of the product. */
  bareChat(): void
  versions(): void
  connect(): void
  /** The page on which each tool is tried and mocked. */
  tools(): void
  publish(): void
  remove(): void
  exportFile(): void
  copyJson(): void
  copyLine(): void
  outline(): void
  /** Goes to the first setting of the card that has the focus. */
  inspectCard(): void
  /** Whether a card of the canvas has the focus. */
  isOnCard(): boolean
  /** Moves the focus to the next region, or back. */
  toRegion(step: 1 | -1): void
}

export function builderCommands(place: BuilderTarget): readonly Command[] {
  const whole = () => place.isWhole()
  return [
    {
      id: 'run.ask',
      label: 'Run, or write a question',
      group: 'Run',
      icon: 'play',
      keys: ['Mod+Enter'],
      whileTyping: true,
      run: () => place.ask(),
    },
    {
      id: 'run.stop',
      label: 'Stop the run',
      group: 'Run',
      icon: 'square',
      keys: ['Escape'],
      rank: 'stop',
      canRun: () => place.isGoing(),
      run: () => place.stop(),
    },
    {
      id: 'agent.save',
      label: 'Save now',
      group: 'Agent',
      icon: 'check',
      keys: ['Mod+S'],
      whileTyping: true,
      run: () => place.save(),
    },
    {
      id: 'view.outline',
      label: 'Show the outline',
      group: 'View',
      icon: 'list-tree',
      keys: ['O'],
      run: () => place.outline(),
    },
    {
      id: 'view.card-settings',
      label: 'Settings of the focused card',
      group: 'View',
      keys: ['Enter'],
      isUnlisted: true,
      canRun: () => place.isOnCard(),
      run: () => place.inspectCard(),
    },
    {
      id: 'view.next-region',
      label: 'Next region: parts, canvas, settings, trace, question',
      group: 'View',
      keys: ['F6'],
      whileTyping: true,
      isUnlisted: true,
      run: () => place.toRegion(1),
    },
    {
      id: 'view.previous-region',
      label: 'Previous region',
      group: 'View',
      keys: ['Shift+F6'],
      whileTyping: true,
      isUnlisted: true,
      run: () => place.toRegion(-1),
    },
    {
      id: 'agent.rename',
      label: 'Rename the agent',
      group: 'Agent',
      icon: 'pencil',
      run: () => place.rename(),
    },
    {
      id: 'agent.duplicate',
      label: 'Duplicate the agent',
      group: 'Agent',
      icon: 'copy',
      run: () => place.duplicate(),
    },
    {
      id: 'agent.chat',
      label: 'Chat with the agent',
      group: 'Agent',
      icon: 'message-square',
      canRun: whole,
      run: () => place.chat(),
    },
    { id: 'agent.versions', label: 'Versions', group: 'Agent', icon: 'history', run: () => place.versions() },
    {
      id: 'agent.connect',
      label: 'Connect other programs to the agent',
      group: 'Agent',
      icon: 'link',
      run: () => place.connect(),
    },
    {
      id: 'agent.tools',
      label: 'Try and mock its tools',
      group: 'Agent',
      icon: 'wrench',
      run: () => place.tools(),
    },
    {
      id: 'agent.publish',
      label: 'Publish',
      group: 'Agent',
      icon: 'upload',
      canRun: whole,
      run: () => place.publish(),
    },
    {
      id: 'agent.bare-chat',
      label: 'Open the chat without the admin bar',
      group: 'Agent',
      icon: 'maximize',
      canRun: whole,
      run: () => place.bareChat(),
    },
    {
      id: 'agent.export',
      label: 'Export as JSON',
      group: 'Agent',
      icon: 'download',
      canRun: whole,
      run: () => place.exportFile(),
    },
    {
      id: 'agent.copy-json',
      label: 'Copy as JSON',
      group: 'Agent',
      icon: 'braces',
      canRun: whole,
      run: () => place.copyJson(),
    },
    {
      id: 'agent.copy-line',
      label: 'Copy the command line that runs it',
      group: 'Agent',
      icon: 'code',
      canRun: whole,
      run: () => place.copyLine(),
    },
    {
      id: 'agent.delete',
      label: 'Delete the agent',
      group: 'Agent',
      icon: 'trash-2',
      run: () => place.remove(),
    },
  ]
}
