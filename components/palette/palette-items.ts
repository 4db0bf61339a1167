/** The rows of the palette, built from the catalog, so that a new part of the product appears by itself. */
import { type Findable, nearestTo, rankFound } from '#components/commands/rank'
import type { PalettePart } from '#components/drawing/carried-part'
import type { Catalog, CatalogTool } from '#lib/spec/catalog'
import type { Family, NodeKind } from '#lib/spec/kind'
import { lineOf } from '#lib/spec/line'
import { addTo } from '#lib/spec/lists'
import type { Risk } from '#lib/spec/tool'
import { usualWeight } from '#lib/spec/tool-view'
import type { WalledKind } from '#lib/spec/walls'

export interface PaletteItem {
  readonly id: string
  readonly label: string
  /** The name by which a model calls the tool. */
  readonly name?: string
  readonly help: string
  readonly keywords?: readonly string[]
  /** What a tool is for, as in “Files”. */
  readonly group?: string
  /** Whether a person writes this tool. */
  readonly isOwnTool?: boolean
  readonly icon: string
  readonly family: Family
  readonly risk?: Risk
  readonly walled?: WalledKind
  readonly part: PalettePart
}

export interface PaletteSection {
  readonly label: string
  readonly items: readonly PaletteItem[]
  /** Whether its parts are hidden until a person opens it. */
  readonly folds?: boolean
  /** Its heading stays at the end of the list until the list is scrolled to it. */
  readonly isPinned?: boolean
}

/** A skill of the server, as the palette offers it. */
export interface OfferedSkill {
  readonly name: string
  readonly description: string
  readonly hash: string
}

export function paletteSections(catalog: Catalog, skills: readonly OfferedSkill[] = []): PaletteSection[] {
  const kinds = (...families: Family[]) =>
    catalog.kinds.filter((each) => families.includes(each.family)).map(kindItem)
  const sections = [
    { label: 'Core', items: kinds('agent', 'model') },
    ...toolSections(catalog),
    { label: 'Policies', items: kinds('policy'), isPinned: true },
    { label: 'Context and output', items: kinds('memory', 'output') },
    { label: 'Skills', items: skillItems(catalog, skills), folds: skills.length > mostSkillsOpen },
    { label: 'On the canvas', items: [noteItem, frameItem] },
  ]
  return sections.filter((each) => each.items.length > 0)
}

function kindItem({ kind, label, help, icon, family, keywords, group, scope }: NodeKind): PaletteItem {
  const isOwnTool = scope?.name !== undefined
  return { id: kind, label, help, icon, family, keywords, group, isOwnTool, part: { kind } }
}

/** More skills than this are hidden until a person opens their section. */
const mostSkillsOpen = 8

/** A skill is added as a card that has it chosen already. */
function skillItems({ kinds }: Catalog, skills: readonly OfferedSkill[]): PaletteItem[] {
  const skill = kinds.find(({ out }) => out === 'skill')
  if (skill === undefined) return []
  const { kind, icon, family } = skill
  return skills.map(({ name, description, hash }) => {
    const help = lineOf(description, longestHelp)
    return { id: `${kind}/${name}`, label: name, help, icon, family, part: { kind, config: { name, hash } } }
  })
}

/** Skills are described by whoever made them. */
const longestHelp = 300

const noteItem: PaletteItem = {
  id: 'note',
  label: 'Note',
  help: 'A few words on the canvas. They never change what the agent does.',
  keywords: ['comment', 'text', 'sticky', 'remark'],
  icon: 'sticky-note',
  family: 'note',
  part: { note: true },
}

const frameItem: PaletteItem = {
  id: 'frame',
  label: 'Frame',
  help: 'A box with a title around parts. Its contents move with it.',
  keywords: ['group', 'box', 'area', 'section'],
  icon: 'square-dashed',
  family: 'note',
  part: { frame: true },
}

/** Keeps only parts of these kinds: those that a wire accepts. */
export function onlyKinds(
  sections: readonly PaletteSection[],
  kinds: ReadonlySet<string>,
): readonly PaletteSection[] {
  const left = sections.map((section) => ({
    ...section,
    items: section.items.filter(({ part }) => !part.note && !part.frame && kinds.has(part.kind)),
  }))
  return left.filter((each) => each.items.length > 0)
}

/**
 * Tools and tool kinds under their groups, in the order in which the groups first appear. Groups of one share a
 * heading, and only so many tools show that the heading of the policies below them is in view.
 */
function toolSections(catalog: Catalog): PaletteSection[] {
  const groups = new Map<string, PaletteItem[]>()
  const items = toolItems(catalog)
  const kinds = catalog.kinds.filter(({ family }) => family === 'tool' || family === 'mcp').map(kindItem)
  const all = [...items, ...kinds]
  for (const item of all) if (item.group !== undefined) addTo(groups, item.group, item)
  const lone = [...groups].flatMap(([label, [only, ...more]]) =>
    only === undefined || more.length > 0 ? [] : [{ label, only }],
  )
  const sections: [string, readonly PaletteItem[]][] = []
  if (lone.length > 1) {
    for (const { label } of lone) groups.delete(label)
    sections.push([loneTools, lone.map(({ only }) => only)])
  }
  sections.push(...groups, [otherTools, all.filter(({ group }) => group === undefined)])
  return foldSections(sections.filter(([, each]) => each.length > 0))
}

/** Opens sections while there is room, and lists what is folded after what shows. */
function foldSections(sections: readonly [string, readonly PaletteItem[]][]): PaletteSection[] {
  let room = mostOpen
  const folded = sections.map(([label, items]) => {
    const folds = label === otherTools || items.length > room
    if (!folds) room -= items.length
    return { label, items, folds }
  })
  return [...folded.filter((each) => !each.folds), ...folded.filter((each) => each.folds)]
}

const loneTools = 'Tools'
const otherTools = 'Other tools'
/** At 1440 by 900, the policies begin within the palette if no more tools than this show above them. */
const mostOpen = 8

/** A tool is added as an entry of its toolkit that offers only this tool. Heavier tools come first. */
function toolItems(catalog: Catalog): PaletteItem[] {
  const weightOf = ({ weight = usualWeight }: CatalogTool) => weight
  const shown = catalog.tools.filter(({ visible }) => visible !== false)
  const sorted = shown.sort((a, b) => weightOf(b) - weightOf(a))
  return sorted.flatMap((tool) => {
    const kind = catalog.kinds.find((each) => each.use === tool.use && each.scope?.list !== undefined)
    const list = kind?.scope?.list
    if (kind === undefined || list === undefined) return []
    const { name, label, icon, risk, description, keywords, group, walled } = tool
    const part = { kind: kind.kind, config: { [list]: [name] } }
    const id = `${kind.kind}/${name}`
    const item = { id, label, name, help: description, icon, family: kind.family, risk, keywords, walled }
    return [{ ...item, group, part }]
  })
}

/** What the person meant: matching parts, or the nearest ones when nothing matches. */
export interface FoundParts {
  readonly sections: readonly PaletteSection[]
  readonly isNearest: boolean
}

/** Sections by their best match, and each section's parts best first. */
export function findParts(sections: readonly PaletteSection[], query: string): FoundParts {
  if (query.trim() === '') return { sections, isNearest: false }
  const all = sections.flatMap((section) => section.items.map((item) => ({ section, item })))
  const found = rankFound(all, query, readPart)
  if (found.length === 0) return { sections: nearestParts(all, query), isNearest: true }
  const groups = new Map<PaletteSection, PaletteItem[]>()
  for (const { section, item } of found) {
    addTo(groups, section, item)
  }
  return { sections: [...groups].map(([{ label }, items]) => ({ label, items })), isNearest: false }
}

interface Listed {
  readonly section: PaletteSection
  readonly item: PaletteItem
}

function readPart({ section, item: { label, name = '', keywords, help, group = '', id } }: Listed): Findable {
  return { label, keywords: [name, id, ...(keywords ?? [])], text: `${help} ${section.label} ${group}` }
}

/** The parts most like the query, and the tool that a person writes, which may do what none does. */
function nearestParts(all: readonly Listed[], query: string): PaletteSection[] {
  const near = nearestTo(all, query, { read: readPart, most: 3 }).map(({ item }) => item)
  const own = all.flatMap(({ item }) => (item.isOwnTool && !near.includes(item) ? [item] : []))
  const items = [...near, ...own]
  return items.length === 0 ? [] : [{ label: near.length === 0 ? 'Write your own' : 'Nearest', items }]
}
