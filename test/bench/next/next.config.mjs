// Nothing is compressed on either side, and nothing is said besides the page.
export default {
  compress: false,
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
};
