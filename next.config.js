/** How Next builds and serves the pages. */

/** @type {import('next').NextConfig} */
const nextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  images: { unoptimized: true },
  allowedDevOrigins: ['127.0.0.1'],
  // A lock file in a folder above would else be taken for the root of a workspace.
  turbopack: { root: __dirname },
  // `npm test` and `npm run check` hold the types; a start does not wait for them again.
  typescript: { ignoreBuildErrors: true },
}

module.exports = nextConfig
