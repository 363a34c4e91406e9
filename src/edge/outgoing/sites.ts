import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type * as Undici from 'undici';
import { seconds, type Clock, type Instant, type Millis } from '#base/time.ts';
import { lazyPackage } from '#edge/lazy-package.ts';
import type { OutgoingTls } from './outgoing.ts';
import type { Judge } from './policy.ts';
import { CallRefused, judgedLookup, type FindAddresses } from './resolve.ts';
import { createTurns, type Turns } from './turns.ts';

/** The HTTP client. Its first use takes a tenth of a second, which must not count as time of a call. */
export const undici = lazyPackage('undici') as () => typeof Undici;

/** One server as calls see it: its connections, and whose turn it is. */
export type Site = {
  readonly pool: Undici.Pool;
  readonly turns: Turns;
  readonly key: string;
  lastUsed: Instant;
  hasAnswered: boolean;
};

export type Sites = {
  /** The site of an address. Throws when the policy refuses it. */
  of(url: URL, tls: OutgoingTls | undefined): Site;
  /** A call to it ended. */
  left(site: Site): void;
  close(): Promise<void>;
};

export type SiteSettings = {
  readonly clock: Clock;
  readonly judge: Judge;
  readonly find: FindAddresses;
  readonly callsPerHost: number;
  /** So many servers keep their connections between calls. */
  readonly kept: number;
  readonly connectTimeout: Millis;
};

/** Hosts are independent: a hanging host does not delay calls to others. */
export function createSites(settings: SiteSettings): Sites {
  const { clock, kept } = settings;
  const sites = new Map<string, Site>();
  let stopSweeping: (() => void) | undefined;

  const drop = (site: Site): Promise<void> => {
    sites.delete(site.key);
    return site.pool.destroy();
  };
  const sweep = (): void => {
    const now = clock.now();
    for (const site of sites.values()) if (isIdle(site) && now - site.lastUsed >= idleFor) void drop(site);
    stopSweeping = sites.size === 0 ? undefined : clock.after(sweepEvery, sweep);
  };
  const makeRoom = (): void => {
    if (sites.size < kept) return;
    let oldest: Site | undefined;
    for (const site of sites.values())
      if (isIdle(site) && (oldest === undefined || site.lastUsed < oldest.lastUsed)) oldest = site;
    if (oldest !== undefined) void drop(oldest);
  };
  return {
    of(url, tls) {
      const key = keyOf(url, tls);
      const known = sites.get(key);
      if (known !== undefined) return known;
      const pool = openPool(settings, url, tls);
      makeRoom();
      const turns = createTurns(settings.callsPerHost);
      const site: Site = { pool, turns, key, lastUsed: clock.now(), hasAnswered: false };
      sites.set(key, site);
      stopSweeping ??= clock.after(sweepEvery, sweep);
      return site;
    },
    left(site) {
      site.lastUsed = clock.now();
      if (sites.size > kept && isIdle(site)) void drop(site);
    },
    async close() {
      stopSweeping?.();
      stopSweeping = undefined;
      await Promise.all([...sites.values()].map(drop));
    },
  };
}

const idleFor = seconds(60);
const sweepEvery = seconds(20);

const isIdle = ({ turns }: Site): boolean => turns.busy === 0 && turns.waiting === 0;

/** Connections are shared only by calls that trust alike and show the same certificate. */
function keyOf({ origin }: URL, tls: OutgoingTls | undefined): string {
  if (tls === undefined) return origin;
  const hash = createHash('sha256');
  for (const part of [tls.insecure === true ? 'insecure' : '', tls.ca, tls.cert, tls.key, tls.serverName])
    hash.update(part ?? '').update('\0');
  return `${origin} ${hash.digest('base64')}`;
}

function openPool(
  { judge, find, ...settings }: SiteSettings,
  url: URL,
  tls: OutgoingTls | undefined,
): Undici.Pool {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // A socket looks up names only, so addresses are judged here, and what is judged is what it gets.
  const refusal = judge.name(host) ?? (isIP(host) === 0 ? undefined : judge.address(host, host));
  if (refusal !== undefined) throw new CallRefused(`${host} ${refusal}`);
  const { Pool } = undici();
  return new Pool(url.origin, {
    connections: settings.callsPerHost,
    // Calls have one timeout as a whole, so these would only be second clocks.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect: {
      timeout: settings.connectTimeout,
      lookup: judgedLookup(host, find, judge),
      ...(url.protocol === 'https:' ? trust(tls) : {}),
    },
  });
}

function trust({ insecure = false, ca, cert, key, serverName }: OutgoingTls = {}): object {
  return {
    ...(serverName === undefined ? {} : { servername: serverName }),
    rejectUnauthorized: !insecure,
    // Made once: reading a bundle of authorities at every connection takes milliseconds.
    secureContext: createSecureContext({ ca, cert, key }),
  };
}
