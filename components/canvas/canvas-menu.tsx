'use client'
/**
 * The menu at the pointer: what can be done with the canvas, a wire, or the selection. It is built from the
 * commands, so each item shows its shortcut.
 */
import { useCallback } from 'react'
import type { Command } from '#components/commands/commands'
import { describeNode } from '#components/drawing/describe'
import { edgeId } from '#components/drawing/flow'
import { useGraphStore } from '#components/drawing/graph-context'
import type { GraphState, GraphStore } from '#components/drawing/graph-store'
import { selectDrawn } from '#components/drawing/part'
import { ContextMenu } from '#components/ui/context-menu'
import type { MenuItem } from '#components/ui/menu-list'
import { isAgent, kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphNode } from '#lib/spec/graph'
import type { MenuTarget } from './canvas-ui'
import { useCanvasUi, useCanvasUiStore } from './canvas-ui-context'
import { ruleItem, rulesOf } from './rule-items'
import { isAllOff, nodesInFrame, switchable } from './selection-edits'

export function CanvasMenu({ commands }: { commands: readonly Command[] }) {
  const menu = useCanvasUi((state) => state.menu)
  const ui = useCanvasUiStore()
  const store = useGraphStore()
  const close = useCallback(() => ui.setState({ menu: null }), [ui])
  if (menu === null) return null
  // A part added from here is placed where the menu was opened, not where the item was clicked.
  const items = itemsFor(menu.target, { store, commands }).map((each) => ({
    ...each,
    run: () => {
      store.getState().point(menu.at)
      each.run()
    },
  }))
  return (
    <ContextMenu at={menu.at} items={items} label={labelOf(menu.target, store.getState())} onClose={close} />
  )
}

interface Source {
  readonly store: GraphStore
  readonly commands: readonly Command[]
}

function itemsFor(target: MenuTarget, source: Source): MenuItem[] {
  switch (target.on) {
    case 'canvas':
      return canvasItems(source)
    case 'wire':
      return wireItems(target.id, source)
    case 'selection':
      return selectionItems(source)
    default:
      return target satisfies never
  }
}

type Choose = (id: string, change?: Partial<MenuItem>) => MenuItem

/** A menu item for a command: it shows the command's shortcut, and is grey while the command cannot run. */
function picker(commands: readonly Command[]): Choose {
  return (id, change) => {
    const command = commands.find((each) => each.id === id)
    if (command === undefined) throw new Error(`no command ${id}`)
    return {
      label: command.label,
      ...(command.icon !== undefined && { icon: command.icon }),
      ...(command.keys?.[0] !== undefined && { keys: command.keys[0] }),
      disabled: command.canRun?.() === false,
      run: () => command.run(),
      ...change,
    }
  }
}

function canvasItems({ commands }: Source): MenuItem[] {
  const item = picker(commands)
  return [
    item('canvas.add'),
    item('canvas.note'),
    item('canvas.add-frame'),
    item('canvas.paste', { beginsGroup: true }),
    item('canvas.select-all'),
    item('canvas.undo', { beginsGroup: true }),
    item('canvas.redo'),
    item('canvas.tidy', { beginsGroup: true }),
    item('view.fit'),
    item('view.actual'),
  ]
}

function wireItems(id: string, { store, commands }: Source): MenuItem[] {
  const { history, select } = store.getState()
  const wire = history.present.edges.find((each) => edgeId(each) === id)
  const item = picker(commands)
  const ends = (wire === undefined ? [] : [wire.from.node, wire.to.node]).map(
    (node, index): MenuItem => ({
      label: `Go to ${nameIn(store.getState(), node)}`,
      icon: index === 0 ? 'arrow-left' : 'arrow-right',
      beginsGroup: index === 0,
      run: () => {
        select({ nodes: [node] })
        commands.find((each) => each.id === 'view.selection')?.run()
      },
    }),
  )
  return [item('canvas.delete', { label: 'Delete the wire', danger: true }), ...ends]
}

function selectionItems({ store, commands }: Source): MenuItem[] {
  const state = store.getState()
  const { nodes, notes, frames } = state.selection
  const item = picker(commands)
  const isOne = nodes.length + notes.length + frames.length === 1
  const [node] = state.history.present.nodes.filter((each) => isOne && each.id === nodes[0])
  const [frame] = isOne ? frames : []
  const items: MenuItem[] = []
  if (node !== undefined) items.push(item('canvas.rename', { label: 'Rename' }))
  if (isOne && notes.length === 1) items.push(item('canvas.rename', { label: 'Edit the note' }))
  if (frame !== undefined)
    items.push(item('canvas.rename', { label: 'Rename the frame' }), holds(store, frame))
  if (nodes.length > 0) {
    const label = isAllOff(state) ? 'Switch on' : 'Switch off'
    items.push(item('canvas.switch', { label, disabled: switchable(state).length === 0 }))
  }
  if (node !== undefined) items.push(...rulesFor(node, store), ...wiresOf(node.id, store))
  items.push(
    item('canvas.cut', { beginsGroup: items.length > 0 }),
    item('canvas.copy'),
    item('canvas.duplicate'),
    item('canvas.frame', { beginsGroup: true }),
    item('view.selection'),
    item('canvas.delete', {
      beginsGroup: true,
      danger: true,
      label: frame === undefined ? 'Delete' : 'Delete the frame, keep its contents',
    }),
  )
  return items
}

function holds(store: GraphStore, frame: string): MenuItem {
  const held = nodesInFrame(store.getState(), frame)
  return {
    label: 'Select its contents',
    icon: 'layers',
    disabled: held.length === 0,
    run: () => selectDrawn(store, held),
  }
}

/** The two rules that a person sets on a tool most often. */
function rulesFor(node: GraphNode, store: GraphStore): MenuItem[] {
  const { catalog, history } = store.getState()
  const isTool = kindOf(catalog, node.kind)?.in.some(({ accepts }) => accepts === 'policy')
  if (!isTool || isAgent(kindOf(catalog, node.kind))) return []
  return rulesOf(catalog)
    .filter((rule) => rule !== 'calls')
    .map((rule, index) => ({
      ...ruleItem(rule, { store, graph: history.present, catalog, entry: node.id }),
      beginsGroup: index === 0,
    }))
}

function wiresOf(node: string, store: GraphStore): MenuItem[] {
  const { history, select } = store.getState()
  const own = history.present.edges.filter(({ from, to }) => from.node === node || to.node === node)
  if (own.length === 0) return []
  const label = own.length === 1 ? 'Select its wire' : `Select its ${own.length} wires`
  return [{ label, icon: 'waypoints', run: () => select({ edges: own.map(edgeId) }) }]
}

function nameIn(
  { history, catalog }: { history: GraphState['history']; catalog: Catalog },
  id: string,
): string {
  const node = history.present.nodes.find((each) => each.id === id)
  return node === undefined ? 'the other end' : describeNode(node, catalog).title
}

function labelOf(target: MenuTarget, state: GraphState): string {
  if (target.on === 'canvas') return 'Canvas'
  if (target.on === 'wire') return 'Wire'
  const { nodes, notes, frames } = state.selection
  const count = nodes.length + notes.length + frames.length
  if (count !== 1) return `${count} selected`
  return nodes[0] === undefined ? (notes.length > 0 ? 'Note' : 'Frame') : nameIn(state, nodes[0])
}
