'use client'
/** The controls of a replay: to the start or end, step by step, or in real time up to ten times as fast. */
import { IconButton } from '#components/ui/button'
import { Segmented } from '#components/ui/segmented'
import { Scrubber } from './scrubber'
import { clockText, clockUnit, type Timeline } from './timeline'
import styles from './transport.module.css'
import { type Replaying, type Speed, usePlayhead } from './use-replay'

const ways: readonly { value: Speed; label: string; title: string }[] = [
  { value: '1', label: '1×', title: 'Real speed' },
  { value: '10', label: '10×', title: 'Ten times the speed' },
  { value: 'step', label: 'Step', title: 'Step by step' },
]

export function Transport({ replay }: { replay: Replaying }) {
  const { isPlaying, speed, setSpeed } = replay
  return (
    <section className={styles.transport} aria-label="Replay">
      <div className={styles.buttons}>
        <IconButton
          icon="skip-back"
          label="To the start"
          title="To the start (Home)"
          onClick={replay.toStart}
        />
        <IconButton icon="chevron-left" label="Step back" title="Step back (←)" onClick={replay.stepBack} />
        <IconButton
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? 'Pause' : 'Play'}
          title={isPlaying ? 'Pause (Space)' : 'Play the recorded run (Space)'}
          variant="plain"
          onClick={replay.toggle}
        />
        <IconButton icon="chevron-right" label="Step on" title="Step on (→)" onClick={replay.stepOn} />
        <IconButton icon="skip-forward" label="To the end" title="To the end (End)" onClick={replay.toEnd} />
      </div>
      <Segmented label="Speed" value={speed} options={ways} onChange={setSpeed} />
      {replay.timeline.idle.length > 0 && <WaitsToggle replay={replay} />}
      <Clock timeline={replay.timeline} />
      <Scrubber replay={replay} />
    </section>
  )
}

function WaitsToggle({ replay: { skipsWaits, setSkipsWaits } }: { replay: Replaying }) {
  return (
    <IconButton
      icon="hand"
      label="Skip waits for people"
      title={
        skipsWaits
          ? 'Waits for people are skipped. Click to play them too'
          : 'Waits for people are played. Click to skip them'
      }
      pressed={skipsWaits}
      onClick={() => setSkipsWaits(!skipsWaits)}
    />
  )
}

function Clock({ timeline }: { timeline: Timeline }) {
  const { span } = timeline
  const at = clockText(usePlayhead(timeline), span)
  return (
    <span className={styles.clock}>
      <b>{at}</b> / {clockText(span, span)} {clockUnit(span)}
    </span>
  )
}
