// Nothing is compressed on either side, and no extra headers are sent.
export default {
  compress: false,
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
};
