import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { later, seconds, type Clock, type Instant } from '#base/time.ts';
import type { Judge } from './policy.ts';

/** The policy does not allow it. */
export class CallRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CallRefused';
  }
}

/** Finds the addresses of a name, as the system does. */
export type FindAddresses = (host: string) => Promise<readonly LookupAddress[]>;

export const systemAddresses: FindAddresses = (host) =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, found) => (error === null ? resolve(found) : reject(error)));
  });

/**
 * Each name is looked up once at a time, however many calls wait: the system resolves few names at once, and one
 * name that hangs must not take all its turns. Answers hold as long as a busy connection may live anyway.
 */
export function remembering(find: FindAddresses, clock: Clock): FindAddresses {
  const known = new Map<
    string,
    { readonly until: Instant; readonly found: Promise<readonly LookupAddress[]> }
  >();
  return (host) => {
    const now = clock.now();
    const kept = known.get(host);
    if (kept !== undefined && now < kept.until) return kept.found;
    if (known.size >= mostNames) known.clear();
    const found = find(host);
    // Until the lookup ends, it is not started again.
    known.set(host, { until: later(now, longestQuestion), found });
    const keep = (span: typeof goodFor): void => {
      if (known.get(host)?.found === found) known.set(host, { until: later(clock.now(), span), found });
    };
    found.then(
      () => keep(goodFor),
      () => keep(badFor),
    );
    return found;
  };
}

const mostNames = 10_000;
const longestQuestion = seconds(60);
const goodFor = seconds(5);
const badFor = seconds(1);

/**
 * The lookup of a socket: what it gets are judged addresses, and it connects to no other. That closes the way by
 * which a name could be good when it is judged and bad when it is called.
 */
export function judgedLookup(host: string, find: FindAddresses, judge: Judge): LookupFunction {
  const answer = async (isListWanted: boolean, tell: Parameters<LookupFunction>[2]): Promise<void> => {
    const found = await judged(host, find, judge).catch((error: unknown) => error as Error);
    if (found instanceof Error) tell(found, '');
    else if (isListWanted) tell(null, found);
    else tell(null, found[0].address, found[0].family);
  };
  return (_host, options, tell) => void answer(options.all === true, tell);
}

async function judged(
  host: string,
  find: FindAddresses,
  judge: Judge,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const found = await find(host);
  let refusal = 'has no address';
  const good: LookupAddress[] = [];
  for (const each of found) {
    const problem = judge.address(host, each.address);
    if (problem === undefined) good.push(each);
    else refusal = problem;
  }
  const [first, ...more] = good;
  if (first === undefined) throw new CallRefused(`${host} ${refusal}`);
  return [first, ...more];
}
