'use client'
/** Deno and Pyodide, which the sandbox can install: what they are for, installing with progress, and removing. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import {
  isInstalling,
  useCancelInstallation,
  useInstallFromFile,
  useInstallPackages,
  useRemovePackage,
  useWallPackages,
} from '#components/data/wall-packages'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import type { WallPackageList, WallPackageView } from '#lib/wire/wall-packages'
import own from './sandbox.module.css'
import { installingWords, megabytes, packageTitles } from './sandbox-words'

export function WallPackages() {
  const packages = useWallPackages()
  useRetest(packages.data)
  return (
    <section className={own.kind} aria-label="Deno and Pyodide">
      <h3 className={own.title}>
        Deno and Pyodide <span>Run Python, shell scripts and readers where bubblewrap does not work</span>
      </h3>
      {packages.isPending && <Skeleton height={80} />}
      {packages.isError && <ErrorNote error={packages.error} onRetry={() => void packages.refetch()} />}
      {packages.data !== undefined && <Packages list={packages.data} />}
    </section>
  )
}

/** The server tests its walls again when a package comes or goes; the page then asks for the results. */
function useRetest(list: WallPackageList | undefined): void {
  const client = useQueryClient()
  const installed = list?.items.map((each) => `${each.name} ${each.installed}`).join()
  const before = useRef(installed)
  useEffect(() => {
    if (before.current !== undefined && before.current !== installed)
      void client.invalidateQueries({ queryKey: ['sandbox'] })
    before.current = installed
  }, [client, installed])
}

function Packages({ list }: { list: WallPackageList }) {
  const install = useInstallPackages()
  const cancel = useCancelInstallation()
  const missing = list.items.filter(({ installed }) => !installed)
  const bytes = missing.reduce((sum, each) => sum + each.downloadBytes, 0)
  const working = list.items.filter(({ installing }) => installing !== null).map(({ name }) => name)
  const error = install.error ?? cancel.error
  return (
    <>
      <ul className={own.walls}>
        {list.items.map((each) => (
          <li key={each.name}>
            <Package item={each} />
          </li>
        ))}
      </ul>
      <div className={own.actions}>
        {working.length > 0 ? (
          <Button disabled={cancel.isPending} onClick={() => cancel.mutate(working)}>
            Cancel
          </Button>
        ) : (
          missing.length > 0 && (
            <Button
              icon="download"
              disabled={install.isPending || list.source === null}
              onClick={() => install.mutate(missing.map(({ name }) => name))}
            >
              Install {missing.map(({ name }) => packageTitles[name]).join(' and ')}
            </Button>
          )
        )}
        {missing.length > 0 && !isInstalling(list) && (
          <span className={own.testing}>
            {list.source === null
              ? 'npm cannot be run on the server’s machine: install from files.'
              : `Downloads ${megabytes(bytes)} from ${list.source}.`}
          </span>
        )}
      </div>
      {error !== null && <ErrorNote error={error} />}
    </>
  )
}

function Package({ item }: { item: WallPackageView }) {
  const { name, version, npm, installed, installing, fault, downloadBytes, unpackedBytes } = item
  const remove = useRemovePackage()
  const fromFile = useInstallFromFile()
  const file = useRef<HTMLInputElement>(null)
  const error = remove.error ?? fromFile.error
  return (
    <div className={own.wall}>
      <div className={own.head}>
        <b>
          {packageTitles[name]} {version}
        </b>
        <span className={own.strength}>
          {npm}, {megabytes(installed ? unpackedBytes : downloadBytes)}{' '}
          {installed ? 'on the disk' : 'to download'}
        </span>
        <span className={own.state} data-tone={installed ? 'ok' : undefined}>
          {installed ? 'installed' : installing === null ? 'not installed' : 'installing'}
        </span>
        {installing === null && installed && (
          <Button size="s" disabled={remove.isPending} onClick={() => remove.mutate(name)}>
            Remove
          </Button>
        )}
        {installing === null && !installed && (
          <>
            <Button size="s" disabled={fromFile.isPending} onClick={() => file.current?.click()}>
              From a file…
            </Button>
            <input
              ref={file}
              type="file"
              accept=".tgz"
              hidden
              aria-label={`The archive of ${packageTitles[name]}`}
              onChange={({ target }) => {
                const [content] = target.files ?? []
                if (content !== undefined) fromFile.mutate({ name, content })
                target.value = ''
              }}
            />
          </>
        )}
      </div>
      {installing !== null && (
        <div role="status">
          <progress
            className={own.progress}
            aria-label={`Installing ${packageTitles[name]}`}
            {...(installing.phase === 'downloading' && { value: installing.bytes, max: installing.total })}
          />
          <span className={own.quiet}>{installingWords(installing)}</span>
        </div>
      )}
      {fault !== null && (
        <p className={own.refusal}>
          <Icon name="circle-x" size={14} />
          {fault}
        </p>
      )}
      {error !== null && <ErrorNote error={error} />}
    </div>
  )
}
