import { statusAnswer } from '#edge/http/status-answer.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { ApiRequest, ApiResponse, Serve } from '#kube/http.ts';
import { ApiError } from '#kube/status.ts';
import { actingReader } from './impersonated-reader.ts';
import type { LogResource } from './log-resource.ts';
import { mustReadLog } from './may-read.ts';
import { readerOf } from './reader.ts';
import { takingTurns } from './taking-turns.ts';

export type ServeLogsDeps = {
  /** Has the API server check readers, with the rights of the controllers. */
  readonly client: Pick<KubeClient, 'create'>;
  readonly resources: readonly LogResource[];
  readonly report: (problem: unknown) => void;
};

/** The logs of objects at `/apis/GROUP/VERSION/PLURAL/NAME/log`. Each read is checked by the API server. */
export function serveLogs({ client, ...deps }: ServeLogsDeps): Serve {
  const patient = { ...deps, client: takingTurns(client, mostReviews) };
  return async (request) => {
    try {
      return hardened(await answer(patient, request));
    } catch (error) {
      if (!(error instanceof ApiError) && !request.signal.aborted) deps.report(error);
      return hardened(statusAnswer(error));
    }
  };
}

/** Reviews at a time. */
const mostReviews = 4;

async function answer({ client, resources }: ServeLogsDeps, request: ApiRequest): Promise<ApiResponse> {
  const wanted = wantedIn(request.path);
  const found = resources.find(
    ({ resource: { group, version, plural } }) =>
      wanted?.group === group && wanted.version === version && wanted.plural === plural,
  );
  // Whoever cannot be authenticated learns nothing, not even what is served.
  const caller = await readerOf(client, request);
  request.gate?.identified(caller.user);
  if (found === undefined || wanted === undefined) throw nothingThere;
  if (request.method !== 'GET') throw onlyGet;
  const reader = await actingReader(client, caller, request);
  const { signal, headers } = request;
  await mustReadLog({ client, signal }, reader, found.resource, wanted.name);
  await request.gate?.turn();
  return found.serve({ name: wanted.name, query: new URLSearchParams(request.query), headers, signal });
}

const pattern = /^\/apis\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\/log$/;
const namePattern = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

type Wanted = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly name: string;
};

function wantedIn(path: string): Wanted | undefined {
  const [, group = '', version = '', plural = '', name = ''] = pattern.exec(path) ?? [];
  return namePattern.test(name) ? { group, version, plural, name } : undefined;
}

const nothingThere = new ApiError({
  code: 404,
  reason: 'NotFound',
  message: 'served here: /apis/GROUP/VERSION/PLURAL/NAME/log',
});
const onlyGet = new ApiError({ code: 405, reason: 'MethodNotAllowed', message: 'only GET is answered here' });

const hardened = (response: ApiResponse): ApiResponse => ({
  ...response,
  headers: { ...response.headers, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
});
