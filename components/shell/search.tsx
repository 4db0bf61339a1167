'use client'
/** The search: commands, parts, the drawing, agents and runs, found by a few letters and chosen by Enter. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command as List } from 'cmdk'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useAllCommands, useAllEntries } from '#components/commands/commands-context'
import { commandEntries, type Entry, rememberChoice, searchEntries } from '#components/commands/entries'
import { useGoTo } from '#components/commands/use-go-to'
import { keys as agentKeys } from '#components/data/agents'
import { api } from '#components/data/client'
import { Icon } from '#components/ui/icon'
import { Keys } from '#components/ui/keys'
import { Line } from '#components/ui/line'
import { Tile } from '#components/ui/tile'
import { useModal } from '#components/ui/use-modal'
import { useRemembered } from '#components/ui/use-remembered'
import styles from './search.module.css'

export interface SearchProps {
  readonly isDrawnOnly: boolean
  /** Returns what was typed since the search was requested. */
  takeEarly(): string
  onClose(): void
}

export function Search({ isDrawnOnly, takeEarly, onClose }: SearchProps) {
  const [query, setQuery] = useState('')
  const [recent, remember] = useRecent()
  const entries = useFound(isDrawnOnly, query.trim())
  const groups = useMemo(
    () => searchEntries({ entries, query: query.trim(), recent, isDrawnOnly }),
    [entries, query, recent, isDrawnOnly],
  )
  const list = useRef<HTMLDivElement>(null)
  const type = (text: string) => {
    setQuery(text)
    // Rows that come in above the best match must not push it out of sight.
    requestAnimationFrame(() => list.current?.scrollTo({ top: 0 }))
  }
  // Otherwise the panel around it would have the focus.
  const modal = useModal({ first: (dialog) => dialog.querySelector('input'), closesOutside: true, onClose })
  useEffect(() => {
    const typed = takeEarly()
    if (typed !== '') setQuery(typed)
  }, [takeEarly])
  const choose = (entry: Entry) => {
    remember(entry.id)
    // The focus returns to its old place before the choice moves it elsewhere.
    modal.ref.current?.close()
    onClose()
    entry.run()
  }
  const label = isDrawnOnly ? 'Find on the canvas' : 'Search'
  return (
    <dialog {...modal} aria-label={label} className={styles.dialog}>
      <List shouldFilter={false} loop label={label}>
        <div className={styles.head}>
          <Icon name="search" />
          <List.Input
            value={query}
            onValueChange={type}
            placeholder={
              isDrawnOnly ? 'Find on the canvas' : 'Search commands, parts, nodes, agents and runs'
            }
            className={styles.input}
          />
          <Keys keys="Escape" />
        </div>
        <List.List ref={list} className={styles.list} label="Results">
          <List.Empty className={styles.empty}>{emptyWords(query, isDrawnOnly)}</List.Empty>
          {groups.map((group) => (
            <List.Group key={group.label} heading={group.label} className={styles.group}>
              {group.entries.map((each) => (
                <List.Item
                  key={each.id}
                  value={each.id}
                  onSelect={() => choose(each)}
                  className={styles.item}
                >
                  <EntryMark entry={each} />
                  <span className={styles.label}>
                    <Line text={each.label} />
                  </span>
                  {each.detail !== undefined && (
                    <span className={styles.detail}>
                      <Line text={each.detail} />
                    </span>
                  )}
                  {each.keys !== undefined && <Keys keys={each.keys} />}
                </List.Item>
              ))}
            </List.Group>
          ))}
        </List.List>
      </List>
    </dialog>
  )
}

function emptyWords(query: string, isDrawnOnly: boolean): string {
  if (query.trim() === '') return isDrawnOnly ? 'Nothing is drawn yet.' : 'Nothing to do here.'
  return isDrawnOnly ? `Nothing on the canvas matches “${query}”.` : `Nothing matches “${query}”.`
}

function EntryMark({ entry: { family, icon = 'box' } }: { entry: Entry }) {
  if (family !== undefined) return <Tile family={family} icon={icon} size="s" />
  return (
    <span className={styles.mark}>
      <Icon name={icon} size={14} />
    </span>
  )
}

const recentName = 'search.recent'

function useRecent(): [readonly string[], (id: string) => void] {
  const [text, keep] = useRemembered(recentName)
  const recent = useMemo(() => (text === null || text === '' ? [] : text.split('\n')), [text])
  return [recent, (id) => keep(rememberChoice(recent, id).join('\n'))]
}

/** The longest text that the server searches for. */
const longestSearch = 200
/** Milliseconds without a key press before the server is asked. */
const typingRest = 150

/** The text as it was when typing last paused. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), typingRest)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

/** The entries as they were when the search opened, plus agents and runs as they arrive. */
function useFound(isDrawnOnly: boolean, query: string): readonly Entry[] {
  const commands = useAllCommands()
  const others = useAllEntries()
  const goTo = useGoTo()
  const [here] = useState(() => [...commandEntries(commands()), ...others()])
  const agents = useQuery({
    queryKey: agentKeys.agents,
    queryFn: ({ signal }) => api.agents.list(signal),
    enabled: !isDrawnOnly,
  })
  const search = useRested(query).slice(0, longestSearch)
  const runs = useQuery({
    queryKey: ['runs', 'recent', search],
    queryFn: ({ signal }) => api.runs.list({ limit: 8, ...(search !== '' && { search }) }, signal),
    enabled: !isDrawnOnly,
    placeholderData: keepPreviousData,
  })
  // While the next runs are on their way, those of the last search are found only by their own words.
  const isFound = search === query && search !== '' && !runs.isPlaceholderData
  return useMemo(
    () => [
      ...here,
      ...(agents.data?.items ?? []).map(
        ({ id, name, title }): Entry => ({
          id: `agent ${id}`,
          label: title === '' ? name : title,
          detail: name,
          group: 'Agents',
          icon: 'bot',
          run: () => goTo(`/agents/${encodeURIComponent(id)}`),
        }),
      ),
      ...(runs.data?.items ?? []).map(
        ({ id, input, agent, status }): Entry => ({
          id: `run ${id}`,
          label: input.split('\n')[0] ?? input,
          detail: `${agent.name}, ${status}`,
          group: 'Runs',
          icon: 'history',
          // The server found it, perhaps by its answer or a tool, which are not shown here.
          ...(isFound && { words: [query] }),
          run: () => goTo(`/runs/${encodeURIComponent(id)}`),
        }),
      ),
    ],
    [here, agents.data, runs.data, goTo, isFound, query],
  )
}
