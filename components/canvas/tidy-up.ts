/** The command that lays all out anew and then shows all of it; a large drawing is laid out apart, so that the page stays free. */
import { arrange, measuredSizes } from '#components/drawing/arrange'
import { tidyLarge } from '#components/drawing/layout-worker'
import type { Desk } from './desk'

export async function tidyUp({ store, fitView }: Pick<Desk, 'store' | 'fitView'>): Promise<void> {
  const { history, catalog } = store.getState()
  const places = await tidyLarge(history.present, catalog, measuredSizes(store))
  if (store.getState().history.present !== history.present) {
    store.getState().say('The drawing was changed meanwhile, so it was not tidied up. Ask again.')
    return
  }
  arrange(store, places)
  // The cards take their new places in the next frame; only then is there something to fit.
  requestAnimationFrame(() => fitView({ duration: 160 }))
}
