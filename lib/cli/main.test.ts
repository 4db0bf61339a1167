import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runEvent } from '#lib/spec/event'
import { main } from './main'
import { type TestTerminal, testTerminal } from './terminal.fixture'

let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-cli-'))
  write('good.json', { name: 'good', tools: [{ use: 'builtin', tools: ['math.*'] }] })
  write('bad.json', {
    name: 'Bad Name',
    tools: [{ use: 'builtin', tools: ['a'], colour: 1 }],
    policies: [{ use: 'nope' }],
  })
  write('warn.json', {
    name: 'warn',
    tools: [{ use: 'builtin', tools: ['sql.*'], preset: { 'sql.execute': { database: 'lost' } } }],
  })
  fs.writeFileSync(path.join(folder, 'broken.json'), '{\n  "name": "a",\n}')
  fs.writeFileSync(path.join(folder, 'deep.json'), '['.repeat(100_000) + ']'.repeat(100_000))
  fs.writeFileSync(path.join(folder, 'proto.json'), '{"name":"a","__proto__":{"x":1}}')
  fs.writeFileSync(path.join(folder, 'bytes.json'), Buffer.from([0x7b, 0xff, 0xfe]))
  fs.writeFileSync(path.join(folder, 'huge.json'), '')
  fs.truncateSync(path.join(folder, 'huge.json'), 50 * 1024 * 1024)
  fs.mkdirSync(path.join(folder, 'folder.json'))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function write(name: string, value: unknown): void {
  fs.writeFileSync(path.join(folder, name), JSON.stringify(value))
}

async function call(...argv: string[]): Promise<{ code: number; terminal: TestTerminal }> {
  const terminal = testTerminal({ folder })
  return { code: await main(argv, terminal), terminal }
}

const faults = [
  ['none.json', 'none.json: There is no such file.'],
  ['folder.json', 'folder.json: This is a folder, not a file.'],
  ['huge.json', 'huge.json: The JSON is larger than 4 MiB.'],
  ['bytes.json', 'bytes.json: This is not UTF-8 text.'],
  ['deep.json', 'deep.json: The JSON is nested deeper than 64 levels'],
  ['broken.json', 'broken.json: The JSON does not parse at line 3, column 1'],
  ['proto.json', 'proto.json: The JSON contains the key "__proto__", which is not allowed.'],
  ['bad.json', 'bad.json:tools/0/colour: Unknown key "colour".'],
] as const

describe('the command line', () => {
  it('explains itself', async () => {
    for (const argv of [[], ['help'], ['--help']]) {
      const { code, terminal } = await call(...argv)
      expect(code).toBe(0)
      for (const name of ['run', 'validate', 'schema', 'serve'])
        expect(terminal.printed).toContain(`loopwright ${name}`)
    }
    expect((await call('run', '--help')).terminal.printed).toContain('--script')
  })

  it.each([
    [
      ['dance'],
      'There is no command "dance". Use run, mcp, dry-run, validate, schema, skills, apis, walls, serve or help.',
    ],
    [['run'], 'The agent’s file is missing.'],
    [['run', 'good.json'], 'The question is missing.'],
    [['run', 'good.json', ' '], 'The question is empty.'],
    [['run', 'good.json', 'two', 'words'], '"words" is an unexpected argument'],
    [['run', 'good.json', 'x', '--colour'], "Unknown option '--colour'."],
    [['run', 'good.json', 'x', '--script'], "Option '--script <value>' argument missing."],
    [['validate'], 'The file is missing.'],
    [['schema', 'x'], '"x" is an unexpected argument'],
    [['serve', '--port', '1'], "Unknown option '--port'."],
  ])('%j is refused in one sentence', async (argv, sentence) => {
    const { code, terminal } = await call(...argv)
    expect(code).toBe(2)
    expect(terminal.said).toContain(sentence)
    expect(terminal.said.split('\n')).toHaveLength(2)
    expect(terminal.printed).toBe('')
  })
})

describe('loopwright validate', () => {
  it.each(faults)('%s is told plainly, without a stack', async (file, sentence) => {
    const { code, terminal } = await call('validate', file)
    expect(code).toBe(file === 'bad.json' ? 1 : 2)
    expect(terminal.printed).toContain(sentence)
    expect(terminal.printed).not.toMatch(/\n\s+at /)
  })

  it('tells every fault of a config at once', async () => {
    const { terminal } = await call('validate', 'bad.json')
    expect(
      terminal.printed
        .trimEnd()
        .split('\n')
        .map((line) => line.split(': ')[0]),
    ).toEqual(['bad.json:name', 'bad.json:tools/0/colour', 'bad.json:policies/0/use'])
  })

  it('ends well for a config without errors, warnings told', async () => {
    expect((await call('validate', 'good.json')).terminal.printed).toMatch(/good\.json: valid\n$/)
    write('glob.json', { name: 'glob', tools: [{ use: 'builtin', tools: ['math.*', 'moth.*'] }] })
    const { code, terminal } = await call('validate', 'glob.json')
    expect(code).toBe(0)
    expect(terminal.printed).toMatch(/^glob\.json:tools\/0\/tools\/1: warning: /m)
    expect(terminal.printed).toMatch(/glob\.json: valid\n$/)
  })

  it('finds what only the drawing shows, such as a tool offered twice', async () => {
    write('twice.json', {
      name: 'twice',
      tools: [
        { use: 'builtin', tools: ['math.*'] },
        { use: 'builtin', tools: ['math.calculate'] },
      ],
    })
    const { code, terminal } = await call('validate', 'twice.json')
    expect(code).toBe(1)
    expect(terminal.printed).toContain('twice.json:tools/1: ')
  })

  it('reads standard input', async () => {
    const good = testTerminal({ input: '{"name":"a"}' })
    expect(await main(['validate', '-'], good)).toBe(0)
    expect(good.printed).toMatch(/standard input: valid\n$/)
    const bad = testTerminal({ input: '{"name":1}' })
    expect(await main(['validate', '-'], bad)).toBe(1)
    expect(bad.printed).toBe('standard input:name: This must be a text, not a number.\n')
  })
})

describe('loopwright run', () => {
  const turns = [
    {
      text: 'I add.',
      reasoning: 'Sums first.',
      calls: [{ name: 'math.calculate', args: { expression: '2+2' } }],
    },
    { text: 'It is \u001b[31m4\u001b[0m.' },
  ]

  it.each(faults)('%s is bad input', async (file, sentence) => {
    const { code, terminal } = await call('run', file, 'x')
    expect(code).toBe(2)
    expect(terminal.said).toContain(sentence)
    expect(terminal.printed).toBe('')
  })

  it('prints the answer alone, and the trace beside it, without what steers a terminal', async () => {
    write('turns.json', turns)
    const { code, terminal } = await call('run', 'good.json', 'What is 2+2?', '--script', 'turns.json')
    expect(code).toBe(0)
    expect(terminal.printed).toBe('It is [31m4[0m.\n')
    for (const part of [
      'good · scripted/script',
      'Sums first.',
      'I add.',
      '→ math.calculate {"expression":"2+2"}',
      '    4\n',
      'completed · 2 steps · 1 call',
    ]) {
      expect(terminal.said).toContain(part)
    }
  })

  it('prints one event a line with --json, run.started first and run.finished last', async () => {
    write('turns.json', { turns })
    const { terminal } = await call('run', 'good.json', 'x', '--json', '--script', 'turns.json')
    const events = terminal.printed
      .trimEnd()
      .split('\n')
      .map((line) => runEvent.parse(JSON.parse(line)))
    expect(events[0]).toMatchObject({
      type: 'run.started',
      seq: 1,
      agent: { id: null, name: 'good', version: 'draft' },
    })
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' })
    expect(events.map((each) => each.seq)).toEqual(events.map((_, index) => index + 1))
    expect(terminal.said).toBe('')
  })

  it('S0-33 puts questions of the agent to the person at the terminal, and declines them where nobody is', async () => {
    const ask = (question: string, more: object) => ({ name: 'human.ask', args: { question, ...more } })
    const form = { type: 'object', properties: { guests: { type: 'integer' } }, required: ['guests'] }
    write('asks.json', [
      { calls: [ask('Which trip?', { choices: ['Lisbon', 'Porto'] }), ask('For how many?', { form })] },
      { text: 'Booked.' },
    ])
    write('asker.json', { name: 'asker', tools: [{ use: 'builtin', tools: ['human.ask'] }] })
    const played = async (given: { input?: string; isInteractive?: boolean }, ...more: string[]) => {
      const terminal = testTerminal({ folder, ...given })
      const code = await main(['run', 'asker.json', 'x', '--script', 'asks.json', ...more], terminal)
      return { code, said: terminal.said, printed: terminal.printed }
    }
    const person = await played({ input: '2\nmany\n3\n', isInteractive: true })
    expect([person.code, person.printed]).toEqual([0, 'Booked.\n'])
    expect(person.said).toMatch(/1\) Lisbon\n {2}2\) Porto\n/)
    expect(person.said).toContain('human.ask ok')
    expect(person.said).toContain('The values do not fit the form: "guests" is')
    expect(person.said).toMatch(/Porto[\s\S]*\{"guests":3\}/)
    for (const alone of [await played({}), await played({ isInteractive: true }, '--non-interactive')]) {
      expect([alone.code, alone.printed]).toEqual([0, 'Booked.\n'])
      expect(alone.said).toContain('Nobody can be asked here, since there is no terminal.')
    }
  })

  it('S3-17 asks a person where one sits there, and rejects what nobody can be asked about', async () => {
    write('turns.json', turns)
    const math = [{ use: 'builtin', tools: ['math.*'] }]
    write('careful.json', { name: 'careful', tools: math, policies: [{ use: 'approval' }] })
    const asking = async (given: { input?: string; isInteractive?: boolean }, ...more: string[]) => {
      const terminal = testTerminal({ folder, ...given })
      await main(['run', 'careful.json', 'x', '--script', 'turns.json', ...more], terminal)
      return terminal.said
    }
    expect(await asking({})).toContain('math.calculate denied (rejected)')
    expect(await asking({}, '--yes')).toContain('math.calculate ok')
    const said = await asking({ input: 'y\n', isInteractive: true })
    expect(said).toContain('Run it?')
    expect(said).toContain('math.calculate ok')
    expect(await asking({ input: 'n\n', isInteractive: true })).toContain('math.calculate denied (rejected)')
    // The input has ended, so the command does not wait for an answer.
    expect(await asking({ input: '', isInteractive: true })).toContain('nobody can be asked here')
    expect(await asking({ input: 'y\n', isInteractive: false })).toContain('nobody can be asked here')
  })

  it('ends with 1 when the run does not complete', async () => {
    write('turns.json', [{ text: 'x', fault: { status: 500 } }])
    const { code, terminal } = await call('run', 'good.json', 'x', '--script', 'turns.json')
    expect(code).toBe(1)
    expect(terminal.said).toContain('failed')
  })

  it('says in which turn a script is wrong', async () => {
    write('turns.json', [{ text: 'x' }, { txt: 'y' }])
    const { code, terminal } = await call('run', 'good.json', 'x', '--script', 'turns.json')
    expect(code).toBe(2)
    expect(terminal.said).toBe('turns.json:model/turns/1/txt: Unknown key "txt".\n')
  })

  it('warns of a database this machine has not, and goes on', async () => {
    write('turns.json', [{ text: 'Done.' }])
    const { code, terminal } = await call('run', 'warn.json', 'x', '--script', 'turns.json')
    expect(code).toBe(0)
    expect(terminal.said).toContain(
      'warn.json:tools/0/preset/sql.execute/database: warning: There is no database "lost" here, only retail. Name the data folder of a server that has it with --data.\n',
    )
    expect(fs.existsSync(path.join(folder, 'data'))).toBe(false)
  })

  it('has its data where the server has it, wherever it is called from', async () => {
    write('sales.json', { name: 'sales', tools: [{ use: 'builtin', tools: ['sql.*'] }] })
    const args = { database: 'retail', sql: 'select count(*) from invoices' }
    write('turns.json', [{ calls: [{ name: 'sql.execute', args }] }, { text: 'Done.' }])
    const LOOPWRIGHT_ROOT = path.join(folder, 'project')
    const terminal = testTerminal({ folder, env: { LOOPWRIGHT_ROOT } })
    expect(await main(['run', 'sales.json', 'x', '--script', 'turns.json'], terminal)).toBe(0)
    expect(fs.existsSync(path.join(LOOPWRIGHT_ROOT, 'data', 'databases', 'retail.db'))).toBe(true)
    expect(fs.existsSync(path.join(folder, 'data'))).toBe(false)
  }, 30_000)

  describe('S3-15 with file tools', () => {
    const calls = [
      { name: 'files.create', args: { path: 'notes/a.md', content: 'Hello.' } },
      { name: 'files.upload', args: { path: 'notes/a.md' } },
    ]
    const script = () => {
      write('writer.json', { name: 'writer', tools: [{ use: 'builtin', tools: ['files.*'] }] })
      write('turns.json', [{ calls }, { text: 'Done.' }])
    }

    it('writes to the folder named', async () => {
      script()
      const { code, terminal } = await call(
        'run',
        'writer.json',
        'x',
        '--script',
        'turns.json',
        '--workspace',
        'out',
      )
      expect(code).toBe(0)
      expect(fs.readFileSync(path.join(folder, 'out/notes/a.md'), 'utf8')).toBe('Hello.')
      expect(terminal.said).toContain('The person can download notes/a.md (text/markdown, 6 bytes).')
      expect(terminal.said).not.toContain('files are in')
    })

    it('writes to a fresh one unless it is, and says where that is', async () => {
      script()
      const { terminal } = await call('run', 'writer.json', 'x', '--script', 'turns.json')
      const [, fresh = ''] = /The agent's files are in (.+)\n$/.exec(terminal.said) ?? []
      expect(fs.readFileSync(path.join(fresh, 'notes/a.md'), 'utf8')).toBe('Hello.')
      expect(path.dirname(fresh)).toBe(fs.realpathSync(os.tmpdir()))
      fs.rmSync(fresh, { recursive: true })
      write('turns.json', [{ text: 'Done.' }])
      const idle = await call('run', 'writer.json', 'x', '--script', 'turns.json')
      expect(idle.terminal.said).not.toContain('files are in')
    })
  })

  it('is cancelled by the first interrupt, and left by the second', async () => {
    write('turns.json', [{ text: 'x', fault: { stallMs: 600_000 } }])
    const terminal = testTerminal({ folder })
    terminal.onText = (text) => {
      if (!text.includes('model.requested')) return
      terminal.interrupt()
      terminal.interrupt()
    }
    expect(await main(['run', 'good.json', 'x', '--json', '--script', 'turns.json'], terminal)).toBe(1)
    expect(terminal.exits).toEqual([130])
    expect(terminal.printed).toContain('"status":"cancelled"')
    expect(terminal.said).toBe('\nCancelling. Press Ctrl-C again to exit at once.\n')
  })
})
