/** The browser tests: a person's journeys in a real Chromium, against a server with a fresh data folder. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium, defineConfig } from '@playwright/test'
import { findChromium } from '../lib/setup/find-chromium.mjs'

const root = path.resolve(__dirname, '..')
const port = Number(process.env.E2E_PORT ?? 3123)
const isRoot = process.getuid?.() === 0

// This file is read once in each worker too: the folder is made by the first and inherited by the rest.
if (!process.env.LOOPWRIGHT_E2E_DATA) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-e2e-'))
  process.env.LOOPWRIGHT_E2E_DATA = folder
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }))
}

// A developer's own keys and settings have no say in a test.
for (const name of Object.keys(process.env)) {
  if (/^(OPENAI|ANTHROPIC)_|^LOOPWRIGHT_(TOKEN|PUBLIC_URL|MCP_CONFIG|ALLOW_HOSTS)$|^HOST$/.test(name)) {
    delete process.env[name]
  }
}

export default defineConfig({
  testDir: __dirname,
  testMatch: '**/*.spec.ts',
  outputDir: path.join(root, 'test-results'),
  workers: 1,
  // What passes only at a second try is named at the end of the log.
  retries: process.env.CI ? 1 : 0,
  // A busy machine is no fault of the page.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    trace: 'retain-on-failure',
    // The tour of the first visit is a journey of its own; the others are of people who know it.
    storageState: {
      cookies: [],
      origins: [
        { origin: `http://127.0.0.1:${port}`, localStorage: [{ name: 'loopwright:tour', value: 'left' }] },
      ],
    },
    launchOptions: {
      executablePath: findChromium(chromium.executablePath()),
      args: [
        // Chromium refuses its sandbox to root.
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: 'node lib/setup/start.mjs',
    cwd: root,
    url: `http://127.0.0.1:${port}/api/health`,
    env: { PORT: String(port), LOOPWRIGHT_DATA: process.env.LOOPWRIGHT_E2E_DATA },
    reuseExistingServer: false,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
  },
})
