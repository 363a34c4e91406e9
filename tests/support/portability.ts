type Trace = { readonly pattern: RegExp; readonly why: string };

/** Put together from pieces, so that this file does not contain what it looks for. */
const either = (...words: readonly string[]): string => `(?:${words.join('|')})`;
const packageHosts = either(
  'npmjs\\.org',
  'yarnpkg\\.com',
  'npmmirror\\.com',
  'npm\\.pkg\\.github\\.com',
  'taobao\\.org',
);

const traces: readonly Trace[] = [
  { pattern: new RegExp(`\\b${packageHosts}\\b`, 'i'), why: 'names a package registry' },
  { pattern: /^\s*(?:@[\w-]+:)?registry\s*=/m, why: 'chooses a package registry' },
  {
    pattern: new RegExp(`(?<![\\w.}$@-])/${either('work', 'root', 'home', 'Users')}/`),
    why: 'names a path of one machine',
  },
  { pattern: new RegExp(`\\.\\./${either('shared')}\\b`), why: 'leans on a folder outside the project' },
];

/** What ties a text to one machine or one registry. */
export function machineTraces(path: string, text: string): readonly string[] {
  return traces.filter(({ pattern }) => pattern.test(text)).map(({ why }) => `${path} ${why}`);
}

/** Packages whose place in the lock file is an address: `npm ci` would ask that host and no other. */
export function resolvedAddresses(lock: string): readonly string[] {
  const { packages } = JSON.parse(lock) as { packages: Record<string, { resolved?: string }> };
  return Object.entries(packages)
    .filter(([, { resolved }]) => resolved?.includes('://') === true)
    .map(([name]) => name);
}
