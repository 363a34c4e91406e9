import { millis, type Millis } from '#base/time.ts';
import { unlessAborted } from './unless-aborted.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { witnessOf, type Witness } from '#hooks/call/evidence.ts';
import { secretsOf, type Secrets } from '#hooks/call/secrets.ts';
import type { Address } from '#registrations/decide/address.ts';
import type { HookAnswer } from '#registrations/decide/cycle.ts';
import { isHookReached } from '#registrations/decide/judge-answer.ts';
import type { HookHealth } from '#registrations/decide/registration-status.ts';
import type { RegisteredHook } from '#registrations/model/registration.ts';
import type { OutgoingAnswer, OutgoingRequest } from '#edge/outgoing/outgoing.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { ServiceRoute } from './service-route.ts';
import { outgoingRequest, type HookCall } from './outgoing-request.ts';
import { secretReader, type LookupObject } from './hook-references.ts';

export type HookClientDeps = Pick<ControlDeps, 'outgoing' | 'hmac' | 'clock' | 'random'> & {
  readonly hook: RegisteredHook;
  /** The namespace of the controller, where the Secrets are. */
  readonly namespace: string;
  /** Another way to an address whose name nobody knows. */
  readonly findRoute: (url: string, signal: AbortSignal) => Promise<ServiceRoute | undefined>;
  /** Whether the hook can be reached has changed. */
  readonly onHealthChange: () => void;
};

/** What the manager knows of the hook, kept up to date while the client is in use. */
export type HookEndpoint = {
  readonly address: Address;
  readonly lookup: LookupObject;
  /** The resource versions of the Secrets and ConfigMaps that a call uses. */
  readonly versions: string;
};

/** The line to the hook of one registration. */
export class HookClient {
  readonly #deps: HookClientDeps;
  readonly #breaker: CircuitBreaker;
  #endpoint: HookEndpoint | undefined;
  #lastFailure = '';
  #health: HookHealth = { type: 'unknown' };
  readonly #resolved = Promise.withResolvers<void>();

  constructor(deps: HookClientDeps) {
    this.#deps = deps;
    this.#breaker = new CircuitBreaker(deps.clock, deps.random);
  }

  set endpoint(known: HookEndpoint) {
    this.#endpoint = known;
    this.#resolved.resolve();
  }

  /** Where the hook is and how it is called, as far as it matters to those who call it. */
  get endpointVersion(): string {
    if (this.#endpoint === undefined) return '';
    const { address, versions } = this.#endpoint;
    return `${address.type === 'address' ? address.url : address.message} ${versions}`;
  }

  get health(): HookHealth {
    return this.#health;
  }

  /** Asks the hook. What goes wrong is an answer; rejects only when the signal aborts. */
  async call(order: HookCall, signal: AbortSignal): Promise<HookAnswer> {
    const { address, lookup } = await this.#known(signal);
    if (address.type === 'unresolved')
      return { type: 'failed', message: `the address of the hook is unknown: ${address.message}` };
    const read = (): Secrets => secretsOf(secretReader(lookup), this.#deps.namespace, signal);
    const secrets = read();
    const made = await outgoingRequest(
      this.#deps,
      { url: address.url, lookup, secrets, open: read() },
      order,
    );
    const witness = witnessOf(secrets);
    if (made.type === 'problem') return { type: 'failed', message: witness.text(made.message) };
    const { instance } = order;
    const pass = await this.#breaker.pass(instance, signal);
    if (pass.type === 'rest') {
      const message = `the hook could not be reached so often that it is not called for a while (${this.#lastFailure})`;
      return { type: 'resting', until: pass.until, message };
    }
    try {
      const answer = toHookAnswer(await this.#send(made.value, signal), witness);
      this.#judge(answer, instance);
      return answer;
    } catch (error) {
      this.#breaker.abandoned(instance);
      throw error;
    }
  }

  #judge(answer: HookAnswer, instance: string): void {
    if (isHookReached(answer)) {
      this.#breaker.succeeded();
      return this.#setHealth({ type: 'reached' });
    }
    this.#breaker.failed(instance);
    // Those who are turned away meanwhile want to know as well.
    this.#lastFailure = answer.type === 'answer' ? `it answered ${answer.status}` : answer.message;
    if (this.#breaker.isOpen) this.#setHealth({ type: 'unreachable', message: this.#lastFailure });
  }

  #setHealth(health: HookHealth): void {
    const isNews = this.#health.type !== health.type;
    if (isNews) this.#health = health;
    if (isNews) this.#deps.onHealthChange();
  }

  /** Whoever starts first waits for whoever finds the hook: that it is being looked for is no failure. */
  async #known(signal: AbortSignal): Promise<HookEndpoint> {
    while (this.#endpoint === undefined) await unlessAborted(this.#resolved.promise, signal);
    return this.#endpoint;
  }

  async #send(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> {
    const { outgoing, findRoute } = this.#deps;
    const answer = await outgoing(request, signal);
    if (answer.type !== 'failed' || answer.why !== 'dns') return answer;
    const way = await findRoute(request.url, signal);
    if (way === undefined) return answer;
    const { url, host, serverName } = way;
    return outgoing(
      {
        ...request,
        url,
        headers: { ...request.headers, host },
        timeout: rest(request.timeout, answer.latency),
        ...(serverName === undefined ? {} : { tls: { serverName, ...request.tls } }),
      },
      signal,
    );
  }
}

/** One time for all of it; in whole seconds, so that what is said of it is the same each time. */
const rest = (timeout: Millis, spent: Millis): Millis =>
  millis(Math.max(100, timeout - Math.floor(spent / 1000) * 1000));

function toHookAnswer(answer: OutgoingAnswer, witness: Witness): HookAnswer {
  if (answer.type === 'failed') return { type: 'failed', message: witness.text(answer.message) };
  const { status, headers, body } = answer;
  return { type: 'answer', status, retryAfter: headers['retry-after'], body: witness.hide(body) };
}
