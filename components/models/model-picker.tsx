'use client'
/**
 * Chooses the model that answers: the drawing's own or another known one, for the next runs or permanently.
 */
import Link from 'next/link'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useCatalog } from '#components/data/agents'
import { useModels } from '#components/data/models'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { matching } from '#components/ui/combo-field'
import { TextField } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { describeError } from '#components/ui/notice'
import { Popover } from '#components/ui/popover'
import shared from '#components/ui/shared.module.css'
import { demoEntry, groupsOf, type ModelEntry, type ModelGroup, placeOf, sameEntry, shortName } from './entry'
import styles from './model-picker.module.css'

export interface ModelPickerProps {
  /** The model in the drawing; null while its node is incomplete. */
  readonly own: ModelEntry | null
  /** The model chosen for runs from this box only. */
  readonly other: ModelEntry | null
  /** The link to Settings, which leads back here. */
  readonly settingsHref: string
  /** Null returns to the drawing's own model. */
  onOther(entry: ModelEntry | null): void
  /** Puts the model into the drawing. */
  onKeep(entry: ModelEntry): void
}

export function ModelPicker(props: ModelPickerProps) {
  const { own, other } = props
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLDivElement>(null)
  const providers = useCatalog().data?.providers ?? []
  const shown = other ?? own
  const name = shown === null ? 'no model' : shortName(shown)
  const close = () => {
    setOpen(false)
    button.current?.querySelector('button')?.focus()
  }
  return (
    <div ref={button} className={styles.root}>
      <Button
        size="s"
        variant="quiet"
        icon="brain"
        className={styles.button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`Model: ${name}`}
        title={shown === null ? 'The model node is not finished' : `${name}, ${placeOf(shown, providers)}`}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.name}>{name}</span>
        <Icon name="chevrons-up-down" size={12} />
      </Button>
      {isOpen && (
        <Popover anchor={button} width={304} onClose={() => setOpen(false)}>
          <Choices {...props} onClose={close} />
        </Popover>
      )}
    </div>
  )
}

/** Above this number of models, a filter field is shown. */
const many = 8

function Choices({
  own,
  other,
  settingsHref,
  onOther,
  onKeep,
  onClose,
}: ModelPickerProps & { onClose(): void }) {
  const models = useModels()
  const catalog = useCatalog()
  const [isKept, setKept] = useState(false)
  const [typed, setTyped] = useState('')
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('[aria-selected="true"], [role="option"]')?.focus()
  }, [])
  const known = models.data?.items ?? []
  const demo: ModelGroup = { label: 'No key needed, not an AI', models: [demoEntry] }
  const groups = [...groupsOf(known, catalog.data?.providers ?? []), demo].flatMap((group) =>
    filterGroup(group, typed),
  )
  const chosen = other ?? own
  const choose = (entry: ModelEntry) => {
    if (isKept) {
      onKeep(entry)
      onOther(null)
    } else onOther(own !== null && sameEntry(entry, own) ? null : entry)
    onClose()
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      return onClose()
    }
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const all = [...(panel.current?.querySelectorAll<HTMLElement>('[role="option"]') ?? [])]
    const at = all.findIndex((each) => each.matches(':focus'))
    all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the options bubble to here
    <div ref={panel} className={styles.panel} onKeyDown={keys}>
      <div className={styles.ways} role="group" aria-label="Where the choice applies">
        <Button size="s" variant="quiet" pressed={!isKept} onClick={() => setKept(false)}>
          In this box only
        </Button>
        <Button size="s" variant="quiet" pressed={isKept} onClick={() => setKept(true)}>
          Save in the drawing
        </Button>
      </div>
      {known.length > many && (
        <TextField
          value={typed}
          onChange={setTyped}
          icon="search"
          placeholder="Find a model"
          aria-label="Find a model"
        />
      )}
      <div role="listbox" aria-label="Models" className={styles.list}>
        {own !== null && typed === '' && (
          <Group group={{ label: 'In the drawing', models: [own] }} chosen={chosen} onChoose={choose} />
        )}
        {groups.map((group) => (
          <Group
            key={group.label}
            group={own === null || typed !== '' ? group : without(group, own)}
            chosen={chosen}
            onChoose={choose}
          />
        ))}
      </div>
      {models.isPending && (
        <div className={styles.told} role="status" aria-label="Loading the models of the providers">
          <Skeleton height={20} />
        </div>
      )}
      {models.isError && <p className={styles.told}>{describeError(models.error).what}</p>}
      {models.isSuccess && known.length === 0 && (
        <p className={styles.told}>There are no real models yet. Add a key or an endpoint, then test it.</p>
      )}
      <Link href={settingsHref} className={styles.settings}>
        <Icon name="settings" size={14} />
        {known.length === 0 ? 'Use a real model' : 'Models in Settings'}
      </Link>
    </div>
  )
}

function filterGroup(group: ModelGroup, typed: string): ModelGroup[] {
  const names = new Set(
    matching(
      group.models.map((each) => each.name),
      typed,
    ),
  )
  const models = group.models.filter((each) => names.has(each.name))
  return models.length === 0 ? [] : [{ ...group, models }]
}

function without(group: ModelGroup, own: ModelEntry): ModelGroup {
  return { ...group, models: group.models.filter((each) => !sameEntry(each, own)) }
}

interface GroupProps {
  readonly group: ModelGroup
  readonly chosen: ModelEntry | null
  onChoose(entry: ModelEntry): void
}

function Group({ group: { label, models }, chosen, onChoose }: GroupProps) {
  if (models.length === 0) return null
  return (
    <div role="group" aria-label={label}>
      <p className={styles.label} aria-hidden="true">
        {label}
      </p>
      {models.map((each) => {
        const isChosen = chosen !== null && sameEntry(each, chosen)
        return (
          <button
            key={each.name}
            type="button"
            role="option"
            aria-selected={isChosen}
            tabIndex={-1}
            className={styles.option}
            title={each.name}
            onClick={() => onChoose(each)}
          >
            <span className={shared.cut}>{shortName(each)}</span>
            {isChosen && <Icon name="check" size={14} />}
          </button>
        )
      })}
    </div>
  )
}
