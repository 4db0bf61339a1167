/** Does the long work for a large drawing off the main thread, so that the page stays responsive. */
import { type JobAnswer, type JobRequest, perform } from './drawing-jobs'

self.addEventListener('message', ({ data }: MessageEvent<JobRequest>) => {
  const answer: JobAnswer = { id: data.id, result: perform(data) }
  self.postMessage(answer)
})
