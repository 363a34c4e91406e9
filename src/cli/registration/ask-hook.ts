import { phaseHeader, requestIdHeader } from '#api/registration/hook-headers.ts';
import { phases, type Phase } from '#api/registration/hook.ts';
import { at, isObject, type Json, type JsonObject } from '#base/json.ts';
import { addressTarget, addressUrl } from '#decide/registration/address.ts';
import type { HookAnswer } from '#decide/registration/cycle.ts';
import { referenceKey } from '#decide/registration/references.ts';
import type { Registration } from '#decide/registration/registration.ts';
import { systemClock } from '#edge/clock.ts';
import { createOutgoing } from '#edge/outgoing/create-outgoing.ts';
import { systemRandom } from '#edge/random.ts';
import type { KubeObject } from '#kube/object.ts';
import { ExitError } from '#cli/exit.ts';
import { readText } from '#cli/hook/templates.ts';
import { objectsByKey } from './read-files.ts';

export type AskHook = (phase: Phase, request: JsonObject) => Promise<HookAnswer>;

type Asking = { readonly ask: AskHook; [Symbol.asyncDispose](): Promise<void> };

/** Replies from a file: one for all phases, or one for each by its name. Without a file the hook has no wishes. */
export function recordedReplies(filename: string | undefined): Asking {
  const recorded = filename === undefined ? undefined : parsed(filename);
  const isByPhase =
    isObject(recorded) && Object.keys(recorded).some((key) => phases.some((each) => each === key));
  return {
    ask: async (phase) => {
      const reply = isByPhase ? at(recorded, phase) : recorded;
      return answer(reply === undefined ? '' : JSON.stringify(reply));
    },
    async [Symbol.asyncDispose]() {
      await Promise.resolve();
    },
  };
}

const answer = (body: string): HookAnswer => ({ type: 'answer', status: 200, retryAfter: undefined, body });

function parsed(filename: string): Json {
  try {
    return JSON.parse(readText(filename)) as Json;
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

/** Asks the hook itself; loopback is fine, since who renders owns the machine. */
export function askingLive(given: LiveGiven): Asking {
  const outgoing = createOutgoing({ policy: { allowLoopback: true }, clock: systemClock });
  const { hook } = given.registration;
  if (hook === undefined) throw new ExitError(2, '--live: the registration has no hook');
  const url = given.flags.hookUrl ?? urlOf(given);
  return {
    ask: async (phase, request) => {
      const sent = await outgoing(
        {
          method: 'POST',
          url,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            [phaseHeader]: phase,
            [requestIdHeader]: systemRandom.uuid(),
          },
          body: JSON.stringify(request),
          timeout: hook.timeout,
          maxBytes: hook.maxReplyBytes,
          ...(hook.tls.caBundle === undefined ? {} : { tls: { ca: hook.tls.caBundle } }),
        },
        new AbortController().signal,
      );
      if (sent.type === 'failed') return { type: 'failed', message: sent.message };
      const { status, body, headers } = sent;
      return { type: 'answer', status, body, retryAfter: headers['retry-after'] };
    },
    [Symbol.asyncDispose]: () => outgoing.close(),
  };
}

function urlOf({ registration, others, flags }: LiveGiven): string {
  const address = registration.hook?.address ?? { uri: undefined, ref: undefined };
  const reference = addressTarget(address, flags.namespace);
  const target =
    reference === undefined ? undefined : objectsByKey(others, flags.namespace).get(referenceKey(reference));
  const found = addressUrl({ address, target, surroundings: flags });
  if (found.type === 'address') return found.url;
  throw new ExitError(2, `--live: ${found.message}: add it with -f, or give --hook-url`);
}
