/**
 * Wraps the stores so that they do not use a database file that has changed, and report every
 * fault to `DatabaseHealth`.
 */
import type { Stores } from '#lib/spec/store'
import type { DatabaseHealth } from './health'

type Kind = 'reads' | 'writes'
type Guarded = Omit<Stores, 'health' | 'close'>
type Kinds = { readonly [Name in keyof Guarded]: { readonly [Method in keyof Guarded[Name]]: Kind } }

const kinds: Kinds = {
  agents: {
    heads: 'reads',
    get: 'reads',
    runnable: 'reads',
    byName: 'reads',
    hasName: 'reads',
    insert: 'writes',
    update: 'writes',
    remove: 'writes',
    removed: 'reads',
    bringBack: 'writes',
    purge: 'writes',
    versions: 'reads',
    version: 'reads',
    newestVersions: 'reads',
    newestVersion: 'reads',
    versionKeys: 'reads',
    configWith: 'reads',
    insertVersion: 'writes',
  },
  runs: {
    insert: 'writes',
    insertBehind: 'writes',
    nextBehind: 'reads',
    threadOf: 'reads',
    freeThreads: 'reads',
    beginTurn: 'writes',
    removeBehind: 'writes',
    insertFork: 'writes',
    historyBefore: 'reads',
    placeOf: 'reads',
    newestIn: 'reads',
    tree: 'reads',
    get: 'reads',
    stored: 'reads',
    list: 'reads',
    listCounted: 'reads',
    setFeedback: 'writes',
    unfinished: 'reads',
    markDrained: 'writes',
    markCancelling: 'writes',
    events: 'reads',
    settledEvents: 'reads',
    eventsOfTypes: 'reads',
    agentsOf: 'reads',
    eventTexts: 'reads',
    append: 'writes',
    sync: 'reads',
    syncNow: 'reads',
    saveSchemas: 'writes',
    mocksOf: 'reads',
  },
  removals: { remove: 'writes', restore: 'writes', waiting: 'reads', isContinued: 'reads', purge: 'writes' },
  figures: {
    endedSince: 'reads',
    toolsSince: 'reads',
    choices: 'reads',
    unindexed: 'reads',
    indexSome: 'writes',
  },
  threads: {
    insert: 'writes',
    get: 'reads',
    rename: 'writes',
    list: 'reads',
    remove: 'writes',
    earlier: 'reads',
  },
  artifacts: {
    insert: 'writes',
    get: 'reads',
    ofRun: 'reads',
    bytesOf: 'reads',
    uploadsBehind: 'reads',
    descriptions: 'reads',
    describe: 'writes',
    copyDescriptions: 'writes',
    hasContent: 'reads',
    holders: 'reads',
  },
  memories: {
    record: 'writes',
    find: 'reads',
    rows: 'reads',
    owners: 'reads',
    list: 'reads',
    edit: 'writes',
    forget: 'writes',
    forgetAll: 'writes',
    unembedded: 'reads',
    embedded: 'reads',
    refused: 'reads',
    retryRefused: 'writes',
    numbers: 'reads',
    putVectors: 'writes',
    vectors: 'reads',
  },
  knowledge: {
    collections: 'reads',
    byName: 'reads',
    insert: 'writes',
    describe: 'writes',
    remove: 'writes',
    files: 'reads',
    file: 'reads',
    insertFile: 'writes',
    addPassages: 'writes',
    finishFile: 'writes',
    removeFile: 'writes',
    removeUnfinished: 'writes',
    find: 'reads',
    rows: 'reads',
    unembedded: 'reads',
    embedded: 'reads',
    refused: 'reads',
    retryRefused: 'writes',
    numbers: 'reads',
    putVectors: 'writes',
    vectors: 'reads',
  },
  discards: { workspaces: 'reads', contents: 'reads', done: 'writes' },
  settings: { get: 'reads', set: 'writes' },
  secrets: { list: 'reads', get: 'reads', put: 'writes', remove: 'writes' },
  originals: { put: 'writes', get: 'reads' },
  skills: {
    list: 'reads',
    get: 'reads',
    version: 'reads',
    file: 'reads',
    put: 'writes',
    remove: 'writes',
  },
  mcpServers: { list: 'reads', get: 'reads', put: 'writes', update: 'writes', remove: 'writes' },
  mcpSignIns: { list: 'reads', get: 'reads', put: 'writes', remove: 'writes' },
  keys: {
    insert: 'writes',
    byHash: 'reads',
    ofAgent: 'reads',
    remove: 'writes',
    noteUse: 'writes',
    addThread: 'writes',
    ownsThread: 'reads',
    addRun: 'writes',
    spendSince: 'reads',
    running: 'reads',
  },
  trials: {
    mocks: 'reads',
    putMock: 'writes',
    removeMock: 'writes',
    tries: 'reads',
    addTry: 'writes',
    counts: 'reads',
    forget: 'writes',
    threadOf: 'reads',
    putThread: 'writes',
  },
}

export function guardStores(stores: Guarded, health: DatabaseHealth): Guarded {
  return {
    agents: guard(stores.agents, kinds.agents, health),
    runs: guard(stores.runs, kinds.runs, health),
    removals: guard(stores.removals, kinds.removals, health),
    figures: guard(stores.figures, kinds.figures, health),
    threads: guard(stores.threads, kinds.threads, health),
    artifacts: guard(stores.artifacts, kinds.artifacts, health),
    discards: guard(stores.discards, kinds.discards, health),
    settings: guard(stores.settings, kinds.settings, health),
    secrets: guard(stores.secrets, kinds.secrets, health),
    originals: guard(stores.originals, kinds.originals, health),
    mcpServers: guard(stores.mcpServers, kinds.mcpServers, health),
    mcpSignIns: guard(stores.mcpSignIns, kinds.mcpSignIns, health),
    keys: guard(stores.keys, kinds.keys, health),
    trials: guard(stores.trials, kinds.trials, health),
    memories: guard(stores.memories, kinds.memories, health),
    knowledge: guard(stores.knowledge, kinds.knowledge, health),
    skills: guard(stores.skills, kinds.skills, health),
  }
}

function guard<S extends object>(
  store: S,
  kinds: { readonly [Method in keyof S]: Kind },
  { met, assertWhole }: DatabaseHealth,
): S {
  const fail = (error: unknown): never => {
    throw met(error)
  }
  const methods = Object.entries(store).map(([name, work]) => {
    const isWrite = kinds[name as keyof S] === 'writes' // cast: the entries of a store are its methods
    const method = (...args: unknown[]) => {
      if (isWrite) assertWhole()
      let value: unknown
      try {
        value = work(...args)
      } catch (error) {
        fail(error)
      }
      if (value instanceof Promise) return value.catch(fail)
      // Checks again, because nobody may see data that was written to a file that is gone.
      if (isWrite) assertWhole()
      return value
    }
    return [name, method]
  })
  return Object.fromEntries(methods) as S // cast: each method keeps its name
}
