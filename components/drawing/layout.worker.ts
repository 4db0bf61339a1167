/** Lays out a large drawing off the main thread, so that the page stays responsive. */
import { type LayoutAnswer, type LayoutTask, layOut } from './layout-task'

self.addEventListener('message', (event: MessageEvent<LayoutTask>) => {
  const answer: LayoutAnswer = layOut(event.data)
  self.postMessage(answer)
})
