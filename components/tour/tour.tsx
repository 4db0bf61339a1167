'use client'
/**
 * The tour of the builder: three coach marks on the first visit. A person can leave it at any time; only its
 * command shows it again.
 */
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Command } from '#components/commands/commands'
import { useCommands } from '#components/commands/commands-context'
import { Button } from '#components/ui/button'
import { useReturnedFocus } from '#components/ui/return-focus'
import { useLatest } from '#components/ui/use-latest'
import { useRemembered } from '#components/ui/use-remembered'
import { placeBeside } from './place'
import styles from './tour.module.css'
import { type TourStep, tourSteps } from './tour-steps'

export function Tour() {
  const [remembered, keep] = useRemembered('tour')
  const [isAsked, setAsked] = useState(false)
  // Needed where the browser stores nothing.
  const [isLeft, setLeft] = useState(false)
  const isShown = isAsked || (remembered === null && !isLeft)
  const leave = useCallback(() => {
    setAsked(false)
    setLeft(true)
    keep('left')
  }, [keep])
  const shown = useLatest(isShown)
  const commands = useMemo<readonly Command[]>(
    () => [
      {
        id: 'tour.show',
        label: 'Show the tour',
        group: 'View',
        icon: 'footprints',
        run: () => setAsked(true),
      },
      {
        id: 'tour.leave',
        label: 'Leave the tour',
        group: 'View',
        keys: ['Escape'],
        rank: 'open',
        isUnlisted: true,
        canRun: () => shown.current,
        run: leave,
      },
    ],
    [leave],
  )
  useCommands(commands)
  return isShown ? <Marks onLeave={leave} /> : null
}

function Marks({ onLeave }: { onLeave(): void }) {
  const [at, setAt] = useState(0)
  useReturnedFocus()
  const step = tourSteps[at]
  if (step === undefined) return null
  return <Mark key={at} step={step} at={at} onGo={setAt} onLeave={onLeave} />
}

interface MarkProps {
  readonly step: TourStep
  readonly at: number
  onGo(at: number): void
  onLeave(): void
}

function Mark({ step, at, onGo, onLeave }: MarkProps) {
  const id = useId()
  const mark = useRef<HTMLDivElement>(null)
  const ring = useRef<HTMLDivElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  usePlaced(step, mark, ring)
  useEffect(() => next.current?.focus({ preventScroll: true }), [])
  const isLast = at === tourSteps.length - 1
  const forward = () => (isLast ? onLeave() : onGo(at + 1))
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onLeave()
    else if (event.key === 'ArrowRight') forward()
    else if (event.key === 'ArrowLeft' && at > 0) onGo(at - 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <div ref={ring} className={styles.ring} aria-hidden="true" />
      <div
        ref={mark}
        role="dialog"
        aria-modal="false"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        tabIndex={-1}
        className={styles.mark}
        onKeyDown={keys}
      >
        <h2 id={`${id}-title`}>{step.title}</h2>
        <p id={`${id}-text`}>{step.text}</p>
        <footer>
          <span className={styles.count}>
            {at + 1} of {tourSteps.length}
          </span>
          {!isLast && (
            <Button size="s" variant="quiet" onClick={onLeave}>
              Skip the tour
            </Button>
          )}
          {at > 0 && (
            <Button size="s" onClick={() => onGo(at - 1)}>
              Back
            </Button>
          )}
          <Button ref={next} size="s" variant="primary" onClick={forward}>
            {isLast ? 'Done' : 'Next'}
          </Button>
        </footer>
      </div>
    </>
  )
}

type Placed = RefObject<HTMLDivElement | null>

/** Keeps the mark and the ring at their region while it moves or changes size. */
function usePlaced({ at, side }: TourStep, mark: Placed, ring: Placed): void {
  useLayoutEffect(() => {
    const place = () => {
      const target = targetOf(at)
      const [own, round] = [mark.current, ring.current]
      if (own === null || round === null) return
      round.hidden = target === undefined
      const room = { width: window.innerWidth, height: window.innerHeight }
      const rect = target?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
      const { x, y } = placeBeside(rect, { width: own.offsetWidth, height: own.offsetHeight }, room, side)
      own.style.transform = `translate(${x}px, ${y}px)`
      round.style.transform = `translate(${rect.x}px, ${rect.y}px)`
      round.style.width = `${rect.width}px`
      round.style.height = `${rect.height}px`
    }
    place()
    const target = targetOf(at)
    const observer = new ResizeObserver(place)
    if (target !== undefined) observer.observe(target)
    observer.observe(document.body)
    window.addEventListener('resize', place)
    window.addEventListener('scroll', place, true)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', place)
      window.removeEventListener('scroll', place, true)
    }
  }, [at, side, mark, ring])
}

function targetOf(at: readonly string[]): Element | undefined {
  return at
    .flatMap((selector) => [...document.querySelectorAll(selector)])
    .find((each) => each.checkVisibility({ visibilityProperty: true }))
}
