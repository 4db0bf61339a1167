/** Creates an official client that ignores headers from the environment. */

/**
 * By itself, the client adds the headers in `variable` to every request, authorization included,
 * wherever the request goes.
 */
export function withoutEnvHeaders<T>(variable: string, make: () => T): T {
  const said = process.env[variable]
  delete process.env[variable]
  try {
    return make()
  } finally {
    if (said !== undefined) process.env[variable] = said
  }
}
