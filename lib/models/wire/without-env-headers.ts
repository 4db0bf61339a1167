/** Makes an official client that knows nothing of headers in the environment. */

/** The client adds the headers of `variable` to every request by itself, the key's own among them, wherever that goes. */
export function withoutEnvHeaders<T>(variable: string, make: () => T): T {
  const said = process.env[variable]
  delete process.env[variable]
  try {
    return make()
  } finally {
    if (said !== undefined) process.env[variable] = said
  }
}
