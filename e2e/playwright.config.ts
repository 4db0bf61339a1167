/** The browser tests: user journeys in a real Chromium, against servers with new data folders. */
import path from 'node:path'
import { chromium, defineConfig } from '@playwright/test'
import { findChromium } from '../lib/setup/find-chromium.mjs'
import { deepOnly, isDeep } from './test-depth'

const root = path.resolve(__dirname, '..')
const isRoot = process.getuid?.() === 0

/**
 * Features of Chromium that are switched off. It obeys only the last `--disable-features`, so Playwright's
 * own list is repeated; each of the last three would load a page for the address bar in every window, which
 * no test sees.
 */
const disabledFeatures = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
]

// A developer's own keys and settings must not affect a test.
for (const name of Object.keys(process.env)) {
  if (
    /^(OPENAI|ANTHROPIC)_|^LOOPWRIGHT_(TOKEN|PUBLIC_URL|MCP_CONFIG|ALLOW_HOSTS|DEMO_PACE|ENDPOINT_.*)$|^HOST$/.test(
      name,
    )
  ) {
    delete process.env[name]
  }
}

export default defineConfig({
  testDir: __dirname,
  testMatch: '**/*.spec.ts',
  ...(!isDeep && { grepInvert: new RegExp(deepOnly.tag) }),
  outputDir: path.join(root, 'test-results'),
  workers: 3,
  // Tests that pass only on a retry are listed at the end of the log.
  retries: process.env.CI ? 1 : 0,
  // Long, since a busy machine must not fail a test of the page.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    // Recording a trace costs as much as the test itself, so only a retry records one.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(chromium.executablePath()),
      args: [
        // Chromium's sandbox does not start as root.
        ...(isRoot ? ['--no-sandbox'] : []),
        `--disable-features=${disabledFeatures.join(',')}`,
        '--disable-gpu',
        // All pages of a worker share one process, and with it the compiled scripts.
        '--process-per-site',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
