'use client'
/** The replay of a finished run, with its shortcuts; a running run has none. */
import { useMemo } from 'react'
import type { Command } from '#components/commands/commands'
import { useCommands } from '#components/commands/commands-context'
import { useRun, useRunStore } from '#components/run/run-context'
import { type Timeline, timelineOf } from './timeline'
import { Transport } from './transport'
import { type Replaying, useReplay } from './use-replay'

/**
 * `onLeap` is called when a person moves to another step with the controls: the earlier selection then no
 * longer applies.
 */
export function Replay({ onLeap }: { onLeap(): void }) {
  const store = useRunStore()
  const isOver = useRun((run) => run.state?.finishedAt !== undefined)
  const events = useRun((run) => run.events.length)
  // The list of events is changed in place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `events` stands for the list's content
  const timeline = useMemo(
    () => (isOver ? timelineOf(store.getState().events) : null),
    [store, isOver, events],
  )
  if (timeline === null) return null
  return <Stored timeline={timeline} onLeap={onLeap} />
}

function Stored({ timeline, onLeap }: { timeline: Timeline; onLeap(): void }) {
  const plain = useReplay(timeline)
  const replay = useMemo(() => leaping(plain, onLeap), [plain, onLeap])
  const commands = useMemo(() => commandsOf(replay), [replay])
  useCommands(commands)
  return <Transport replay={replay} />
}

function leaping(replay: Replaying, onLeap: () => void): Replaying {
  const withLeap = (move: () => void) => () => {
    onLeap()
    move()
  }
  return {
    ...replay,
    toStart: withLeap(replay.toStart),
    toEnd: withLeap(replay.toEnd),
    stepBack: withLeap(replay.stepBack),
    stepOn: withLeap(replay.stepOn),
  }
}

const group = 'Replay'

function commandsOf(replay: Replaying): Command[] {
  return [
    {
      id: 'replay.toggle',
      label: replay.isPlaying ? 'Pause the replay' : 'Play the replay',
      group,
      icon: replay.isPlaying ? 'pause' : 'play',
      keys: ['Space'],
      canRun: () => !hasFocus(pressed),
      run: replay.toggle,
    },
    {
      id: 'replay.back',
      label: 'Step back',
      group,
      icon: 'chevron-left',
      keys: ['ArrowLeft'],
      canRun,
      run: replay.stepBack,
    },
    {
      id: 'replay.on',
      label: 'Step on',
      group,
      icon: 'chevron-right',
      keys: ['ArrowRight'],
      canRun,
      run: replay.stepOn,
    },
    {
      id: 'replay.start',
      label: 'To the start',
      group,
      icon: 'skip-back',
      keys: ['Home'],
      canRun,
      run: replay.toStart,
    },
    {
      id: 'replay.end',
      label: 'To the end',
      group,
      icon: 'skip-forward',
      keys: ['End'],
      canRun,
      run: replay.toEnd,
    },
    ...speedCommands(replay),
    ...(replay.timeline.idle.length > 0 ? [waitsCommand(replay)] : []),
  ]
}

function speedCommands({ setSpeed }: Replaying): Command[] {
  return [
    { id: 'replay.slow', label: 'Replay at real speed', group, keys: ['1'], run: () => setSpeed('1') },
    {
      id: 'replay.fast',
      label: 'Replay at ten times the speed',
      group,
      keys: ['2'],
      run: () => setSpeed('10'),
    },
    {
      id: 'replay.steps',
      label: 'Replay step by step',
      group,
      keys: ['3'],
      run: () => setSpeed('step'),
    },
  ]
}

function waitsCommand({ skipsWaits, setSkipsWaits }: Replaying): Command {
  return {
    id: 'replay.waits',
    label: skipsWaits ? 'Play waits for people too' : 'Skip waits for people in the replay',
    group,
    icon: 'hand',
    run: () => setSkipsWaits(!skipsWaits),
  }
}

/** Elements that Space activates by itself. */
const pressed = 'a, button, summary, [role="row"], [role="tab"], .react-flow__node'
/** Elements that handle arrow keys, Home and End themselves. */
const walked = '[role="treegrid"], [role="tablist"], [role="slider"], [role="separator"]'

const canRun = () => !hasFocus(walked)

function hasFocus(selector: string): boolean {
  return document.activeElement?.closest(selector) != null
}
