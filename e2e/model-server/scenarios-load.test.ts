/** Tests many runs at once, endless answers, stale connections, and the demo over a real wire. */
import { describe, expect, test } from 'vitest'
import { createTool, replay } from '#lib/agent/rig.fixture'
import { messagesOf } from '#lib/agent/state/dialogue'
import { createBreakers } from '#lib/models/breaker'
import { ask, databaseTools } from '#lib/models/demo/stand-in.fixture'
import type { Message } from '#lib/spec/message'
import { startModelServer } from './model-server'
import { brokenLaws, createClock, faster, runTrial, wires } from './rig'
import { done, finding, play, ranBoth } from './scenario'

describe('L4 many runs at a provider that refuses', () => {
  test.each(wires)(
    'L4 fifty runs × 429: it is asked by one at a time, not by all (%s)',
    async (wire) => {
      const server = await startModelServer({ behaviour: () => ({ fault: { status: 429 } }) })
      const { clock, modelTimeoutSeconds } = faster(100)
      const breaker = createBreakers({ clock }).of('local', 'model-large')
      try {
        const begun = clock.monotonic()
        const outcomes = await Promise.all(
          Array.from({ length: 50 }, () =>
            runTrial({ wire, at: server, deps: { clock, modelTimeoutSeconds, breaker } }),
          ),
        )
        const minutes = (clock.monotonic() - begun) / 60_000
        expect(new Set(outcomes.map((each) => each.status))).toEqual(new Set(['failed']))
        // Without the breaker each run would make four requests. Requests made before the
        // first failure count once.
        expect(server.requests.length).toBeLessThanOrEqual(50 + 3 * Math.ceil(minutes) + 5)
      } finally {
        await server.close()
      }
    },
    90_000,
  )

  test('L4 once it answers again, all of them go on', async () => {
    let refusals = 0
    const server = await startModelServer({
      behaviour: () => (++refusals <= 10 ? { fault: { status: 503 } } : { say: done }),
    })
    const deps = faster(100)
    const breaker = createBreakers({ clock: deps.clock, restMs: 5_000 }).of('local', 'model-large')
    try {
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () =>
          runTrial({ wire: 'openai', at: server, deps: { ...deps, breaker } }),
        ),
      )
      const completed = outcomes.filter((each) => each.status === 'completed').length
      expect(completed).toBeGreaterThanOrEqual(5)
      expect((await runTrial({ wire: 'openai', at: server, deps: { ...deps, breaker } })).status).toBe(
        'completed',
      )
    } finally {
      await server.close()
    }
  }, 90_000)
})

play('L15 more than is read', [
  {
    name: 'L15 one event of 2 MiB',
    behaviours: [{ say: done, fault: { hugeEvent: 2 * 1024 * 1024 } }],
    expected: { error: 'model_too_large', attempts: 1, message: /1 MiB/ },
  },
  {
    name: 'L15 words without end',
    behaviours: [{ say: done, fault: { endless: 'text' } }],
    expected: { error: 'model_too_large', attempts: 1, message: /8 MiB/ },
  },
  {
    name: 'L15 arguments without end are never run',
    behaviours: [{ say: finding, fault: { endless: 'args' } }],
    expected: { error: 'model_too_large', attempts: 1 },
  },
  {
    name: 'L15 S0-18 a body without end',
    settings: { stream: false },
    behaviours: [{ say: done, fault: { endless: 'text' } }],
    expected: { error: 'model_too_large', attempts: 1 },
  },
])

describe('L15 memory', () => {
  test('L15 answers without end leave nothing behind', async () => {
    const server = await startModelServer({ behaviour: () => ({ say: done, fault: { endless: 'text' } }) })
    const endless = () => runTrial({ wire: 'openai', at: server })
    try {
      await endless()
      const before = process.memoryUsage().rss
      for (let turn = 0; turn < 6; turn++) await endless()
      // Six answers of 8 MiB each, with the server's part in the same process: if they were kept,
      // they would use far more.
      expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(150)
      await expect.poll(() => server.left.length, { timeout: 20_000 }).toBe(7)
    } finally {
      await server.close()
    }
  }, 90_000)
})

play('L19 a connection that was kept too long', [
  {
    name: 'L19 reset on its second use: asked again at once, and no wait',
    // The second request may be sent before the first connection is free; the third finds a free one.
    behaviours: [{ say: finding }, { say: finding }, { say: done, fault: { before: 'stale' } }],
    expected: {
      answer: 'It is 42.',
      attempts: 4,
      retried: ['connection'],
      ran: [...ranBoth, ...ranBoth],
      check: ({ waits }) => expect(waits).toEqual([0]),
    },
  },
])

describe('L19 connections are kept', () => {
  test.each(wires)('L19 a run of many steps needs one connection, not one for each (%s)', async (wire) => {
    const server = await startModelServer({
      behaviour: [{ say: finding }, { say: finding }, { say: finding }, { say: done }],
    })
    try {
      const outcome = await runTrial({ wire, at: server })
      expect(outcome).toMatchObject({ status: 'completed', attempts: 4 })
      expect(server.sockets).toBeLessThanOrEqual(2)
    } finally {
      await server.close()
    }
  })
})

describe('the demo over a real wire', () => {
  for (const stream of [true, false]) {
    test.each(wires)(
      `S0-18 plans, calls, and answers with what came back, ${stream ? 'streamed' : 'in one piece'} (%s)`,
      async (wire) => {
        const server = await startModelServer({ behaviour: 'demo', key: 'sk-test-1234567890' })
        const calculate = createTool('math.calculate', {
          description: 'Evaluates one arithmetic expression.',
          parameters: {
            type: 'object',
            properties: { expression: { type: 'string' } },
            required: ['expression'],
          },
          run: () => ({ ok: true, blocks: [{ type: 'text', text: '144' }] }),
        })
        try {
          const begin = { input: 'What is 12 * 12?' }
          const outcome = await runTrial({
            wire,
            at: server,
            tools: [calculate],
            begin,
            settings: { stream },
          })
          expect(outcome.status).toBe('completed')
          expect(outcome.answer).toContain('144')
          expect(calculate.ran).toHaveLength(1)
          expect(brokenLaws(outcome, server.requests)).toEqual([])
        } finally {
          await server.close()
        }
      },
    )
  }
})

describe('the demo as an analyst over a real wire', () => {
  const sales = `create table customers(id integer primary key, name text, country text);
    create table orders(id integer primary key, customer_id integer references customers(id), total real);
    insert into customers values (1, 'Ada', 'Germany'), (2, 'Bo', 'France'), (3, 'Cy', 'France');
    insert into orders values (1, 1, 10), (2, 2, 20.5), (3, 2, 5), (4, 3, 1);`
  const standIn = databaseTools(sales)
  const tools = standIn.tools.map(({ name, description, parameters }) =>
    createTool(name.replace('_', '.'), {
      description,
      parameters,
      run: (args) => {
        const { text, isError } = standIn.call(name, args)
        return isError ? { ok: false, message: text } : { ok: true, blocks: [{ type: 'text', text }] }
      },
    }),
  )

  test.each(wires)(
    'reads the schema, asks the database, and says what it says without a wire (%s)',
    async (wire) => {
      const server = await startModelServer({ behaviour: 'demo', service: 'compatible' })
      try {
        const history: Message[] = []
        for (const input of ['How many customers are there?', 'Which country has the most orders?']) {
          const outcome = await runTrial({ wire, at: server, tools, begin: { input, history: [...history] } })
          expect(outcome.answer).toBe(ask(input, standIn, { history }).answer)
          expect(outcome.started.length).toBeGreaterThan(0)
          expect(brokenLaws(outcome, server.requests)).toEqual([])
          history.push(...messagesOf(replay(outcome.events, { input })))
        }
      } finally {
        await server.close()
      }
    },
  )
})

describe('what is sent', () => {
  test.each(wires)('S0-14 the key goes in its header, and nowhere else (%s)', async (wire) => {
    const server = await startModelServer({ behaviour: [{ say: done }] })
    try {
      await runTrial({ wire, at: server, deps: { clock: createClock() } })
      const [asked] = server.requests
      const { authorization, 'x-api-key': key } = asked?.headers ?? {}
      expect(authorization ?? key).toContain('sk-test-1234567890')
      expect(asked?.text).not.toContain('sk-test')
      expect(JSON.stringify(asked?.headers).split('sk-test').length).toBe(2)
    } finally {
      await server.close()
    }
  })

  test.each(wires)('S0-14 without tools neither tools nor a choice is sent (%s)', async (wire) => {
    const server = await startModelServer({ behaviour: [{ say: done }] })
    try {
      await runTrial({ wire, at: server, tools: [] })
      expect(server.requests[0]?.body).not.toHaveProperty('tools')
      expect(server.requests[0]?.body).not.toHaveProperty('tool_choice')
    } finally {
      await server.close()
    }
  })
})
