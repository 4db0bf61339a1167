/**
 * The command that lays out the whole drawing and fits it into view; a large drawing is laid out in a worker,
 * so that the page stays responsive.
 */
import { arrange, measuredSizes } from '#components/drawing/arrange'
import { tidyLarge } from '#components/drawing/drawing-worker'
import type { Desk } from './desk'

export async function tidyUp({ store, fitView }: Pick<Desk, 'store' | 'fitView'>): Promise<void> {
  const { history, catalog } = store.getState()
  const places = await tidyLarge(history.present, catalog, measuredSizes(store))
  if (store.getState().history.present !== history.present) {
    store.getState().say('The drawing changed in the meantime, so it was not tidied up. Try again.')
    return
  }
  arrange(store, places)
  // The cards move in the next frame; only then can the view be fitted to them.
  requestAnimationFrame(() => fitView({ duration: 160 }))
}
