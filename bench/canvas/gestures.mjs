/** Mouse gestures on the canvas, and the frame times during them. */

/**
 * Frame times in milliseconds during `work`: `answered`, between frames that respond to the gesture, which is
 * what a person feels; and `ticks`, between animation frames, whether they changed anything or not.
 */
export async function framesDuring(page, work) {
  await page.evaluate(() => {
    const frames = { answered: [], ticks: [] }
    let moves = 0
    const count = () => {
      moves += 1
    }
    const kinds = ['mousemove', 'wheel']
    for (const kind of kinds) window.addEventListener(kind, count, { capture: true, passive: true })
    let [lastTick, lastAnswer, answered] = [performance.now(), performance.now(), 0]
    const next = (now) => {
      frames.ticks.push(now - lastTick)
      lastTick = now
      if (moves > answered) {
        frames.answered.push(now - lastAnswer)
        lastAnswer = now
        answered = moves
      }
      if (window.bench.frames === frames) requestAnimationFrame(next)
      else for (const kind of kinds) window.removeEventListener(kind, count, { capture: true })
    }
    window.bench.frames = frames
    requestAnimationFrame(next)
  })
  await work()
  return page.evaluate(() => {
    const { answered, ticks } = window.bench.frames
    window.bench.frames = undefined
    // The first ones include time before the gesture began.
    return { answered: answered.slice(2), ticks: ticks.slice(2) }
  })
}

const steps = 90

export async function pan(page) {
  const at = { x: 700, y: 20 }
  await page.mouse.move(at.x, at.y)
  await page.mouse.down({ button: 'middle' })
  for (let n = 1; n <= steps; n++)
    await page.mouse.move(at.x + 4 * Math.abs((n % 60) - 30), at.y + 3 * Math.abs((n % 40) - 20))
  await page.mouse.up({ button: 'middle' })
}

export async function wheelZoom(page) {
  await page.mouse.move(700, 450)
  for (let n = 0; n < steps; n++) {
    await page.mouse.wheel(0, n % 40 < 20 ? 40 : -40)
    // The page does not acknowledge a wheel event: without a pause all turns would arrive in one frame.
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
}

export async function dragCard(page) {
  const card = await page.evaluate(() => {
    const { innerWidth, innerHeight } = window
    for (const each of document.querySelectorAll('.react-flow__node')) {
      const { x, y, width, height } = each.getBoundingClientRect()
      const middle = { x: x + width / 2, y: y + height / 2 }
      const isClear = document.elementFromPoint(middle.x, middle.y)?.closest('.react-flow__node') === each
      if (isClear && x > 300 && y > 200 && x < innerWidth - 500 && y < innerHeight - 300) return middle
    }
    return null
  })
  if (card === null) throw new Error('no card to drag in view')
  await page.mouse.move(card.x, card.y)
  await page.mouse.down()
  for (let n = 1; n <= steps; n++)
    await page.mouse.move(card.x + 3 * Math.abs((n % 60) - 30), card.y + 2 * Math.abs((n % 40) - 20))
  await page.mouse.up()
}

export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
