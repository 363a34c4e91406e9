import { millis, seconds, type Clock, type Instant, type Millis } from '#base/time.ts';
import { onAbort } from './aborts.ts';
import { beginCall, OutOfTime, type OutgoingCall } from './call.ts';
import { decodeBody, isPlain, textOf, understood } from './decode.ts';
import { exchange, type Received } from './exchange.ts';
import { failureOf, isStale, RedirectRefused, type CallFailure } from './failures.ts';
import type { Outgoing, OutgoingAnswer, OutgoingRequest } from './outgoing.ts';
import { judgeBy, type OutgoingPolicy } from './policy.ts';
import { mostRedirects, nextHop, type Hop } from './redirect.ts';
import { remembering, systemAddresses, type FindAddresses } from './resolve.ts';
import { createSites, undici, type Sites } from './sites.ts';

export type OutgoingSettings = {
  readonly policy: OutgoingPolicy;
  readonly clock: Clock;
  /**
   * 2,000 calls a second to one host that takes 200 ms for each are 400 at once. More than that is a host that
   * hangs, and its callers may wait for each other.
   */
  readonly callsPerHost?: number;
  /** So many hosts keep their connections between calls. */
  readonly keptHosts?: number;
  readonly connectTimeout?: Millis;
  readonly findAddresses?: FindAddresses;
};

export type ClosableOutgoing = Outgoing & { close(): Promise<void> };

/** The way out, within a policy. Throws on a policy that cannot be read. */
export function createOutgoing(settings: OutgoingSettings): ClosableOutgoing {
  const { clock, callsPerHost = 512, keptHosts = 1000, connectTimeout = seconds(10) } = settings;
  const find = remembering(settings.findAddresses ?? systemAddresses, clock);
  const judge = judgeBy(settings.policy);
  const sites = createSites({ clock, judge, find, callsPerHost, kept: keptHosts, connectTimeout });
  const send: Outgoing = async (request, signal) => {
    signal.throwIfAborted();
    undici();
    const started = clock.now();
    const hop = firstHop(request);
    if (hop === undefined) return failed(badUrl, started, clock);
    const call = beginCall(request.timeout);
    const stopTimer = clock.after(request.timeout, () => call.stop(new OutOfTime()));
    const forget = onAbort(signal, () => call.stop(signal.reason as Error));
    let last = hop;
    try {
      const { received, hop: answered } = await follow({ sites, call, hop, moved: (to) => (last = to) });
      return await answerOf(received, answered, started, clock);
    } catch (error) {
      signal.throwIfAborted();
      const { origin } = last.url;
      const failure = failureOf(error, { origin, call, maxBytes: request.maxBytes, callsPerHost });
      return failed(failure, started, clock);
    } finally {
      stopTimer();
      forget();
    }
  };
  return Object.assign(send, { close: () => sites.close() });
}

const badUrl: CallFailure = {
  why: 'url',
  message: 'the address is not a complete one: write it like http://host:port/path or https://host/path',
};

const since = (started: Instant, clock: Clock): Millis => millis(Math.max(0, clock.now() - started));

const failed = (failure: CallFailure, started: Instant, clock: Clock): OutgoingAnswer => ({
  type: 'failed',
  ...failure,
  latency: since(started, clock),
});

function firstHop(request: OutgoingRequest): Hop | undefined {
  const url = URL.parse(request.url);
  if (url === null || url.hostname === '' || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return undefined;
  const { username, password } = url;
  const names = new Set(Object.keys(request.headers).map((name) => name.toLowerCase()));
  const headers: Record<string, string> = { ...request.headers };
  if (!names.has('accept-encoding')) headers['accept-encoding'] = understood;
  if (!names.has('user-agent')) headers['user-agent'] = 'boathook';
  if ((username !== '' || password !== '') && !names.has('authorization'))
    headers['authorization'] = basic(username, password);
  return { request: { ...request, headers }, url };
}

function basic(username: string, password: string): string {
  const plain = [username, password].map((part) => unescaped(part)).join(':');
  return `Basic ${Buffer.from(plain).toString('base64')}`;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Journey = {
  readonly sites: Sites;
  readonly call: OutgoingCall;
  readonly hop: Hop;
  readonly moved: (to: Hop) => void;
};

/** Goes where it is sent, each place judged anew. */
async function follow({ sites, call, hop, moved }: Journey): Promise<{ received: Received; hop: Hop }> {
  let current = hop;
  const seen = new Set<string>();
  for (;;) {
    const received = await exchangeWith(sites, current, call);
    const next = nextHop(current, received.status, received.headers['location']);
    if (next.type === 'answer') return { received, hop: current };
    if (next.type === 'refused') throw new RedirectRefused(next.message);
    seen.add(`${current.request.method} ${current.url.href}`);
    const { origin } = hop.url;
    if (seen.has(`${next.hop.request.method} ${next.hop.url.href}`))
      throw new RedirectRefused(`${origin} redirects in a circle (after ${seen.size} redirects)`);
    if (seen.size > mostRedirects)
      throw new RedirectRefused(
        `${origin} redirects more than ${mostRedirects} times: call the last address itself`,
      );
    current = next.hop;
    moved(current);
  }
}

async function exchangeWith(sites: Sites, hop: Hop, call: OutgoingCall): Promise<Received> {
  const site = sites.of(hop.url, hop.request.tls);
  try {
    const received = await exchange(site, hop, call).catch((error: unknown) => {
      const { method, isRepeatable = false } = hop.request;
      const isSafe = isRepeatable || method === 'GET' || method === 'HEAD';
      if (call.stopped === undefined && isSafe && isStale(error, call, site.hasAnswered))
        return exchange(site, repeated(hop), call);
      throw error;
    });
    site.hasAnswered = true;
    return received;
  } finally {
    sites.left(site);
  }
}

function repeated(hop: Hop): Hop {
  const { request } = hop;
  return { ...hop, request: { ...request, headers: { ...request.headers, ...request.headersOfRepeat?.() } } };
}

async function answerOf(
  { status, headers, body }: Received,
  { request }: Hop,
  started: Instant,
  clock: Clock,
): Promise<OutgoingAnswer> {
  const encodings = headers['content-encoding'];
  const text = isPlain(encodings) ? textOf(body) : await decodeBody(body, encodings, request.maxBytes);
  return { type: 'answer', status, headers, body: text, latency: since(started, clock) };
}
