/** Lays a large drawing out apart from the page, which stays free meanwhile. */
import { type LayoutAnswer, type LayoutTask, layOut } from './layout-task'

self.addEventListener('message', (event: MessageEvent<LayoutTask>) => {
  const answer: LayoutAnswer = layOut(event.data)
  self.postMessage(answer)
})
