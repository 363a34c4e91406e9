/**
 * Addresses that a reader or a test may open a connection to: loopback, and those that belong to nobody (RFC 5737).
 * Whoever follows a guide, or runs a test where it is not cut off, must not reach a machine of somebody else.
 */
const allowed = /^(?:127\.|192\.0\.2\.|0\.0\.0\.0$)/;

/** Also begun ones, which a template completes; a number with a slash behind it is a range, which nobody dials. */
const address = /(?<![\w.:-])\d{1,3}\.(?:\d{1,3}\.\d{1,3}\.(?:\d{1,3}(?![\w.]*\.\d)|\$\{)|\$\{)(?!\/\d)/g;

/** Read, typed in or executed. */
const dialling: readonly RegExp[] = [
  /^(?:docs\/(?!adr\/)|examples\/|[^/]+\.md$)/,
  /^tests\/(?:system|support|conformance)\//,
  /^src\/(?:edge|cli|sdk)\/.*\.test\.ts$/,
];

/** Never dialled: rules about addresses, and the seeds' own texts. */
const exceptions: Readonly<Record<string, string>> = {
  'src/edge/outgoing/': 'rules about addresses, refused before anything is dialled',
  'src/command/outgoing-flags.test.ts': 'rules about addresses',
  'src/hooks/cli/override-url.test.ts': 'texts of URLs, among them that of the document',
  'src/edge/ssh/known-hosts.test.ts': 'rules about addresses, one of them hashed',
  'tests/system/hooks-kubectl.test.ts': 'the template of the document as it stands, which no run uses',
  'tests/support/dialled-addresses.ts': 'this rule',
};

/** Addresses in a file that somebody else may have. */
export function foreignAddresses(path: string, text: string): readonly string[] {
  if (!dialling.some((pattern) => pattern.test(path))) return [];
  if (Object.keys(exceptions).some((each) => path.startsWith(each))) return [];
  return [...text.matchAll(address)]
    .filter(({ 0: found, index }) => !allowed.test(found) && !isRange(text, index + found.length))
    .map(({ 0: found }) => `${path}: ${found}`);
}

const isRange = (text: string, end: number): boolean => /^\d*\/\d/.test(text.slice(end, end + 6));

/** Exceptions that except nothing any more. */
export const idleExceptions = (paths: readonly string[]): readonly string[] =>
  Object.keys(exceptions).filter((each) => !paths.some((path) => path.startsWith(each)));
