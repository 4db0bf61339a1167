/**
 * One contender in a process of its own; it receives jobs over the channel and answers with times and faults.
 */
import { openFloor, openStoredFloor } from './floor.mjs'
import { faultsOf, model, nothingHeard, questionOf, system, tools } from './task.mjs'

const [, , name, base, bundle] = process.argv
const job = { base, model, system, tools }

async function open() {
  if (name === 'floor') return openFloor(job)
  if (name === 'floor stored') return openStoredFloor(job)
  const { openLoop, openServer } = await import(bundle)
  const ours = await (name === 'ours' ? openLoop(job) : openServer(job))
  return {
    ask: (question, heard) => ours.ask(question, (event) => take(event, heard)),
    close: ours.close,
  }
}

function take(event, heard) {
  if (event.type === 'text.delta') heard.text += event.text.length
  else if (event.type === 'model.answered') {
    heard.input += event.usage.input
    for (const part of event.parts) {
      if (part.type !== 'call') continue
      heard.calls += 1
      heard.argBytes += part.args.content.length
    }
  } else if (event.type === 'call.finished' && event.result.text.startsWith('ok src/file_'))
    heard.results += 1
}

const contender = await open()

async function once(scale) {
  const heard = nothingHeard()
  await contender.ask(questionOf(scale), heard)
  return faultsOf(scale, heard)
}

process.on('message', async ({ scale, runs, together }) => {
  if (scale === undefined) {
    await contender.close()
    process.exit()
  }
  globalThis.gc?.()
  const before = process.cpuUsage()
  const begun = performance.now()
  const faults = []
  if (together)
    for (const each of await Promise.all(Array.from({ length: runs }, () => once(scale))))
      faults.push(...each)
  else for (let run = 0; run < runs; run++) faults.push(...(await once(scale)))
  const { user, system } = process.cpuUsage(before)
  process.send({
    cpuMs: (user + system) / 1_000,
    wallMs: performance.now() - begun,
    faults: [...new Set(faults)],
  })
})
process.send('ready')
