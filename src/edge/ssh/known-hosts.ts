import { createHmac } from 'node:crypto';

/** One line of a known_hosts file. */
export type KnownHost = {
  readonly marker: 'none' | 'revoked' | 'cert-authority';
  /** Patterns, or one hashed name. */
  readonly names: readonly string[];
  readonly keyType: string;
  /** Base64. */
  readonly key: string;
};

/** Reads a known_hosts file; comments and lines that make no sense are left out, as OpenSSH does. */
export function parseKnownHosts(text: string): readonly KnownHost[] {
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === undefined || words[0] === '' || words[0].startsWith('#')) return [];
    const marker = markers[words[0]] ?? 'none';
    const [names, keyType, key] = marker === 'none' ? words : words.slice(1);
    if (names === undefined || keyType === undefined || key === undefined) return [];
    return [{ marker, names: names.split(','), keyType, key }];
  });
}

const markers: Readonly<Record<string, KnownHost['marker']>> = {
  '@revoked': 'revoked',
  '@cert-authority': 'cert-authority',
};

/** Whether a line is for this machine. */
export function speaksOf({ names }: KnownHost, address: string, port: number): boolean {
  const wanted = knownName(address, port);
  const fits = (pattern: string): boolean =>
    pattern.startsWith('|1|') ? isHashOf(pattern, wanted) : matches(pattern, wanted);
  if (names.some((name) => name.startsWith('!') && fits(name.slice(1)))) return false;
  return names.some((name) => !name.startsWith('!') && fits(name));
}

/** The name under which OpenSSH keeps a machine: with its port in brackets unless it is the usual one. */
export const knownName = (address: string, port: number): string =>
  port === 22 ? address.toLowerCase() : `[${address.toLowerCase()}]:${port}`;

function isHashOf(pattern: string, name: string): boolean {
  const [, , salt, hash] = pattern.split('|');
  if (salt === undefined || hash === undefined) return false;
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
}

function matches(pattern: string, name: string): boolean {
  const expression = pattern
    .toLowerCase()
    .replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`).test(name);
}
