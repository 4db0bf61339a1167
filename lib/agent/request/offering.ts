/** Which tools a run offers: the set of the present step, and what changes before the next one. */
import type { EventBody, EventOf } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { ServerText } from '#lib/spec/server-text'
import { type SkillLine, skillLoadName } from '#lib/spec/skill'
import type { RunState } from '#lib/spec/state'
import { findToolsName } from '#lib/spec/tool'
import type { BoundTool, DescribedTool, ToolListing } from '#lib/spec/toolkit'
import type { RunDeps } from '../deps'
import { withheldAfter } from '../state/tools-fold'
import { firstByName } from './codecs'
import { discoveryPolicy, discoveryRule } from './discovery'
import { activeGroups, groupPolicies, groupRule } from './groups'
import { type Offer, offer, type Withheld } from './offer'

/** The tools of a step. */
export interface ToolSet {
  /** Those that exist now, in the order of the list. */
  readonly offered: readonly BoundTool[]
  readonly withheld: readonly Withheld[]
}

export interface Offering {
  /** The set of the present step, fixed until the next one; before the run begins, its first set. */
  readonly set: ToolSet
  /** Every tool known now, offered or not; the same array while nothing has changed. */
  readonly known: readonly BoundTool[]
  /** Texts of servers whose tools the run may use. A server with no tool to use has nothing to say either. */
  readonly serverTexts: readonly ServerText[]
  /** The skills that the run may read. */
  readonly skills: readonly SkillLine[]
  /** Reads what the toolkits list now. */
  refresh(signal: AbortSignal): Promise<void>
  /** The event that makes the next step offer what the config, the events and the toolkits say. */
  change(): Extract<EventBody, { type: 'tools.changed' }> | undefined
}

type Deps = Pick<RunDeps, 'tools' | 'toolsAfterCut' | 'policies' | 'groups' | 'toolsNow' | 'redact'>
type ToolRecord = NonNullable<RunState['tools']>
type OfferedRecord = ToolRecord['offered'][number]

export function createOffering(state: RunState, deps: Deps): Offering {
  const inConfig = firstByName(deps.tools)
  let listing: ToolListing = { tools: deps.tools }
  let afterCut: { from: ToolListing; listing: ToolListing } | undefined
  /** What is listed, with the tools that a cut dialogue needs. */
  const listed = (): ToolListing => {
    const { toolsAfterCut = [] } = deps
    if (!state.isCut || toolsAfterCut.length === 0) return listing
    if (afterCut?.from !== listing)
      afterCut = { from: listing, listing: { ...listing, tools: [...listing.tools, ...toolsAfterCut] } }
    return afterCut.listing
  }
  let wanted:
    | { from: ToolListing; groups: RunState['groups']; found: RunState['found']; offer: Offer }
    | undefined
  let present: { from: ToolListing; record: ToolRecord; set: ToolSet } | undefined
  /** The last comparison that found no difference. */
  let equal: { record: ToolRecord; offer: Offer } | undefined

  const wantedNow = (): Offer => {
    const { groups, found } = state
    const from = listed()
    if (wanted?.from !== from || wanted.groups !== groups || wanted.found !== found)
      wanted = { from, groups, found, offer: offerOf({ ...deps, ...from }, state) }
    return wanted.offer
  }
  return {
    get set() {
      const record = state.tools
      if (record === undefined) return wantedNow()
      const from = listed()
      if (present?.from !== from || present.record !== record)
        present = { from, record, set: setOf(record, from.tools) }
      return present.set
    },
    get known() {
      return listed().tools
    },
    get serverTexts() {
      const { serverTexts = [] } = listing
      if (serverTexts.length === 0) return serverTexts
      const { offered, withheld } = this.set
      const usable = new Set([
        ...offered.map(({ node }) => node),
        ...withheld.flatMap(({ entry, policy }) => (policy === discoveryRule ? [entry] : [])),
      ])
      return serverTexts.filter(({ node }) => usable.has(node)).map((each) => cleanText(each, deps.redact))
    },
    get skills() {
      const { skills = [] } = listing
      if (skills.length === 0) return skills
      const { offered, withheld } = this.set
      const canRead =
        offered.some(({ name }) => name === skillLoadName) ||
        withheld.some(({ name, policy }) => name === skillLoadName && policy === discoveryRule)
      const { redact = String } = deps
      return canRead ? skills.map((each) => ({ ...each, description: redact(each.description) })) : []
    },
    async refresh(signal) {
      const now = await deps.toolsNow?.(signal)
      if (now === undefined) return
      if (now.tools !== listing.tools || now.withheld !== listing.withheld) listing = now
    },
    change() {
      const record = state.tools
      const next = wantedNow()
      if (record === undefined || (equal?.record === record && equal.offer === next)) return undefined
      const change = changeBetween(record, next, { inConfig, mayWithhold: listed().withheld !== undefined })
      if (change === undefined) {
        equal = { record, offer: next }
        return undefined
      }
      return {
        type: 'tools.changed',
        ...change,
        reason: reasonOf(change, { record, listing: listed(), state, deps }),
      }
    },
  }
}

function cleanText(given: ServerText, redact: RunDeps['redact'] = (text) => text): ServerText {
  const { text, problem } = given
  return {
    ...given,
    ...(text !== undefined && { text: redact(text) }),
    ...(problem !== undefined && { problem: redact(problem) }),
  }
}

/** What the config offers the model, with the groups that are active and the tools that were found. */
export function offerOf(
  { tools, policies, groups, withheld = [] }: Pick<RunDeps, 'tools' | 'policies' | 'groups'> & ToolListing,
  { groups: switched, found }: Pick<RunState, 'groups' | 'found'> = {},
): Offer {
  const inactive = groupPolicies(groups, switched)
  // The same list where it can be, since the offer is kept by its lists.
  const ruling = inactive.length === 0 ? policies : [...policies, ...inactive]
  const whole = offer(tools, ruling)
  const held = discoveryPolicy(policies, whole.offered, found)
  const made = held === undefined ? whole : offer(tools, [...ruling, held])
  if (withheld.length === 0) return made
  const byToolkits = withheld.map(({ name, node, source, reason }): Withheld => {
    return { name, entry: node, policy: source, node, reason }
  })
  return { ...made, withheld: [...made.withheld, ...byToolkits] }
}

function setOf({ offered, withheld }: ToolRecord, tools: readonly BoundTool[]): ToolSet {
  const byName = firstByName(tools)
  return { offered: offered.flatMap(({ name }) => byName.get(name) ?? []), withheld }
}

/** How an event records an offered tool: with its definition, unless that is the one in the config. */
export function offeredRecord(tool: BoundTool, inConfig: ReadonlyMap<string, DescribedTool>): OfferedRecord {
  const { name, node, ends, hidden } = tool
  const isOwn = sameDefinition(tool, inConfig.get(name))
  return {
    name,
    node,
    ...(ends && { ends: true }),
    ...draftRecord(tool),
    ...(hidden && { hidden }),
    ...(!isOwn && { definition: definitionOf(tool) }),
  }
}

function draftRecord({
  draft,
  argumentAliases = {},
}: BoundTool): Pick<OfferedRecord, 'draft' | 'draftAliases'> {
  if (draft === undefined) return {}
  const draftAliases = Object.keys(argumentAliases).filter((alias) => argumentAliases[alias] === draft)
  return { draft, ...(draftAliases.length > 0 && { draftAliases }) }
}

function definitionOf({ description, parameters }: DescribedTool): NonNullable<OfferedRecord['definition']> {
  return { description, parameters: parameters as JsonObject } // cast: a JSON Schema is JSON
}

function sameDefinition(tool: DescribedTool, other: DescribedTool | undefined): boolean {
  if (tool === other) return true
  if (other === undefined) return false
  return JSON.stringify(definitionOf(tool)) === JSON.stringify(definitionOf(other))
}

type Change = Pick<EventOf<'tools.changed'>, 'added' | 'removed' | 'changed' | 'withheld'>

function changeBetween(
  record: ToolRecord,
  next: Offer,
  { inConfig, mayWithhold }: Comparing,
): Change | undefined {
  const before = new Map(record.offered.map((each) => [each.name, each]))
  const after = new Set(next.offered.map(({ name }) => name))
  const withheld = new Map(next.withheld.map(({ name, ...by }) => [name, by]))
  const added = next.offered.filter(({ name }) => !before.has(name))
  const removed = record.offered.filter(({ name }) => !after.has(name))
  const changed = next.offered.filter((tool) => {
    const { name, definition } = before.get(tool.name) ?? {}
    if (name === undefined) return false
    return !sameDefinition(tool, definition === undefined ? inConfig.get(name) : { name, ...definition })
  })
  const change = {
    added: added.map((tool) => offeredRecord(tool, inConfig)),
    removed: removed.map(({ name }) => {
      const by = withheld.get(name)
      return { name, ...(by && { withheld: by }) }
    }),
    changed: changed.map((tool) => ({ ...offeredRecord(tool, inConfig), definition: definitionOf(tool) })),
  }
  const isOther = mayWithhold && !sameWithheld(withheldAfter(record.withheld, change), next.withheld)
  if (!isOther && added.length + removed.length + changed.length === 0) return undefined
  return { ...change, ...(isOther && { withheld: next.withheld }) }
}

interface Comparing {
  readonly inConfig: ReadonlyMap<string, DescribedTool>
  /** Whether a toolkit of the config holds tools back, so that more than the offered tools may change. */
  readonly mayWithhold: boolean
}

function sameWithheld(before: readonly Withheld[], now: readonly Withheld[]): boolean {
  const keyOf = ({ name, entry, policy, node, reason }: Withheld) =>
    JSON.stringify([name, entry, policy, node, reason])
  const known = new Set(before.map(keyOf))
  return known.size === now.length && now.every((each) => known.has(keyOf(each)))
}

interface Changing {
  readonly record: ToolRecord
  readonly listing: ToolListing
  readonly state: RunState
  readonly deps: Deps
}

function reasonOf(
  { added, removed, changed }: Change,
  { record, listing, state, deps: { groups = [], toolsAfterCut = [] } }: Changing,
): string {
  const ofCut = new Set(toolsAfterCut.map(({ name }) => name))
  const others = added.filter(({ name }) => !ofCut.has(name))
  const heldBy = new Map(record.withheld.map(({ name, policy }) => [name, policy]))
  /** What held back the tools that are new, or holds back those that are gone. */
  const rules = new Set([
    ...others.map(({ name }) => heldBy.get(name)),
    ...removed.map(({ withheld }) => withheld?.policy),
  ])
  const reasons: string[] = []
  if (rules.delete(groupRule)) {
    const active = activeGroups(groups, state.groups)
    reasons.push(active.length === 0 ? 'no group is active' : `active groups: ${active.join(', ')}`)
  }
  if (rules.delete(discoveryRule)) reasons.push(`${findToolsName} offers what it finds`)
  if (others.length < added.length) reasons.push('earlier results were taken out to save space')
  const isByToolkit = changed.length > 0 || rules.size > 0 || reasons.length === 0
  if (isByToolkit) reasons.push(listing.reason ?? otherTools)
  return reasons.join('; ')
}

const otherTools = 'the agent has other tools than when the last step began'
