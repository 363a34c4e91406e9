type Described = Readonly<Record<string, unknown>>;

/** What only a checkout needs. */
const ofCheckout = new Set([
  'private',
  'scripts',
  'imports',
  'devDependencies',
  'overrides',
  'optionalDependencies',
]);

/** The package.json of the archive: scripts that run, declarations beside them, nothing to be built. */
export const asInstalled = (described: object): Described => ({
  ...Object.fromEntries(Object.entries(described).filter(([key]) => !ofCheckout.has(key))),
  exports: { './sdk': { types: './dist/sdk/sdk.d.ts', default: './dist/sdk/sdk.js' } },
});
