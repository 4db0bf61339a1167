/** How Next builds and serves the pages. */

/** @type {import('next').NextConfig} */
const nextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  images: { unoptimized: true },
  allowedDevOrigins: ['127.0.0.1'],
  // Otherwise a lock file in a parent folder would be taken for the root of a workspace.
  turbopack: { root: __dirname },
  // `npm test` and `npm run check` check the types; a start does not wait for that again.
  typescript: { ignoreBuildErrors: true },
}

module.exports = nextConfig
