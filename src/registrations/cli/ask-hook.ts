import { phases, type HookPhase } from '#registrations/kinds/hook.ts';
import { at, isObject, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { ExitError } from '#command/exit.ts';
import { readText } from '#command/read-text.ts';
import { HookClient } from '#registrations/controller/hook-client.ts';
import { hookReferences, type LookupObject } from '#registrations/controller/hook-references.ts';
import { addressTarget, addressUrl, type Address } from '#registrations/decide/address.ts';
import type { HookAnswer } from '#registrations/decide/cycle.ts';
import { referenceKey } from '#registrations/decide/references.ts';
import type { RegisteredHook, Registration } from '#registrations/model/registration.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import { systemRandom } from '#edge/random.ts';
import type { KubeObject } from '#kube/object.ts';
import { toBase64 } from '#base/base64.ts';
import { objectsByKey } from './read-files.ts';

export type AskHook = (phase: HookPhase, request: JsonObject) => Promise<HookAnswer>;

type Asking = { readonly ask: AskHook; [Symbol.asyncDispose](): Promise<void> };

/** Replies from a file: one for all phases, or one for each phase by its name. Without a file all replies are empty. */
export function recordedReplies(filename: string | undefined): Asking {
  const recorded = filename === undefined ? undefined : parsed(filename);
  const isByPhase =
    isObject(recorded) && Object.keys(recorded).some((key) => phases.some((each) => each === key));
  return {
    ask: async (phase) => {
      const reply = isByPhase ? at(recorded, phase) : recorded;
      return answer(reply === undefined ? '' : printJson(reply));
    },
    async [Symbol.asyncDispose]() {
      await Promise.resolve();
    },
  };
}

const answer = (body: string): HookAnswer => ({ type: 'answer', status: 200, retryAfter: undefined, body });

function parsed(filename: string): Json {
  try {
    return parseJson(readText(filename));
  } catch (error) {
    if (error instanceof ExitError) throw error;
    throw new ExitError(
      2,
      `${filename} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

export type LiveGiven = {
  readonly registration: Registration;
  readonly others: readonly KubeObject[];
  readonly flags: { readonly hookUrl?: string; readonly namespace: string; readonly clusterDomain: string };
};

/** Calls the hook with the client of the controller. Loopback is allowed: the user owns the machine. */
export function askingLive(given: LiveGiven): Asking {
  const { hook } = given.registration;
  if (hook === undefined) throw new ExitError(2, '--live: the registration has no hook');
  const { hookUrl: url, namespace } = given.flags;
  const address = url === undefined ? addressOf(given) : { type: 'address' as const, url, warnings: [] };
  const lookup = keptOf(given, hook);
  const outgoing = createOutgoing({ policy: { allowLoopback: true }, clock: systemClock });
  const client = new HookClient({
    outgoing,
    hmac: hmacSha256Hex,
    clock: systemClock,
    random: systemRandom,
    hook,
    namespace,
    findRoute: () => Promise.resolve(undefined),
    onHealthChange: () => undefined,
  });
  client.endpoint = { address, lookup, versions: '' };
  const { signal } = new AbortController();
  return {
    ask: (phase, request) => client.call({ phase, request, instance: '' }, signal),
    [Symbol.asyncDispose]: () => outgoing.close(),
  };
}

function addressOf({ registration, others, flags }: LiveGiven): Address {
  const address = registration.hook?.address ?? { uri: undefined, ref: undefined };
  const reference = addressTarget(address, flags.namespace);
  const target =
    reference === undefined ? undefined : objectsByKey(others, flags.namespace).get(referenceKey(reference));
  const found = addressUrl({ address, target, environment: flags });
  if (found.type === 'address') return found;
  throw new ExitError(2, `--live: ${found.message}: add it with -f, or give --hook-url`);
}

/** The Secrets and ConfigMaps in the files that a call needs. */
function keptOf({ others, flags: { namespace } }: LiveGiven, hook: RegisteredHook): LookupObject {
  const known = objectsByKey(others, namespace);
  const missing = hookReferences(hook, namespace).find((each) => !known.has(referenceKey(each)));
  if (missing !== undefined)
    throw new ExitError(
      2,
      `--live: a call needs ${missing.kind} ${namespace}/${missing.name}: add it with -f`,
    );
  return (kind, name) => {
    const object = known.get(referenceKey({ apiVersion: 'v1', kind, namespace, name }));
    return object === undefined ? undefined : withPlainTexts(object);
  };
}

/** Converts stringData to data, as the server does. */
function withPlainTexts(object: KubeObject): KubeObject {
  const plain = Object.entries(objectAt(object, 'stringData') ?? {}).map(
    ([key, text]) => [key, toBase64(typeof text === 'string' ? text : '')] as const,
  );
  return { ...object, data: { ...objectAt(object, 'data'), ...Object.fromEntries(plain) } };
}
