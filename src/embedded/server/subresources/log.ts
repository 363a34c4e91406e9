import { listAt, textAt } from '#base/json.ts';
import { instant, parseTime, type Instant } from '#base/time.ts';
import type { ApiResponse } from '#kube/http.ts';
import type { KubeObject } from '#kube/object.ts';
import { type ApiError, badRequest } from '#kube/status.ts';
import { plainType, text } from '#embedded/server/request/answer.ts';
import { nameOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import { flag, integer } from '#embedded/server/request/request-options.ts';
import { find } from '#embedded/server/verbs/get.ts';

/** GET of `pods/NAME/log`: the server checks the container, the node provides the lines. */
export async function podLog(context: ServerContext, call: Call): Promise<ApiResponse> {
  const pod = find(context, call).object;
  const container = chosen(call, pod);
  const logs = context.logs();
  if (logs === undefined) return text(200, plainType, '');
  const previous = flag(call.query, 'previous');
  const request = { pod, container, previous, ...optionsOf(context, call) };
  const lines = await logs.read(request);
  if (lines === undefined) throw previous ? noPrevious(call, container) : notStarted(call, pod, container);
  if (!flag(call.query, 'follow')) return text(200, plainType, lines);
  const stream = logs.follow(request, call.request.signal);
  return { ...text(200, plainType, ''), body: { type: 'stream', stream, cut: new AbortController().signal } };
}

type LogOptions = {
  readonly tailLines: number | undefined;
  readonly since: Instant | undefined;
  readonly timestamps: boolean;
  readonly limitBytes: number | undefined;
};

function optionsOf({ clock }: ServerContext, { query }: Call): LogOptions {
  const seconds = integer(query, 'sinceSeconds');
  const time = parseTime(query.get('sinceTime') ?? '');
  return {
    tailLines: integer(query, 'tailLines'),
    since: seconds === undefined ? time : instant(clock.now() - seconds * 1000),
    timestamps: flag(query, 'timestamps'),
    limitBytes: integer(query, 'limitBytes'),
  };
}

function chosen(call: Call, pod: KubeObject): string {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    listAt(pod, 'spec', list).map((container) => textAt(container, 'name') ?? ''),
  );
  const asked = call.query.get('container') ?? '';
  const [only, ...others] = listAt(pod, 'spec', 'containers');
  if (asked === '' && others.length > 0) throw whichContainer(call, containers);
  if (asked !== '' && !containers.includes(asked)) {
    throw badRequest(`container ${asked} is not valid for pod ${nameOf(call)}`);
  }
  return asked === '' ? (textAt(only, 'name') ?? '') : asked;
}

const whichContainer = (call: Call, containers: readonly string[]): ApiError =>
  badRequest(
    `a container name must be specified for pod ${nameOf(call)}, choose one of: [${containers.join(' ')}]`,
  );

/** Why a container has not started, with a kubelet's text. */
const pullTroubles: Readonly<Record<string, string>> = {
  ImagePullBackOff: 'trying and failing to pull image',
  ErrImagePull: "image can't be pulled",
};

function notStarted(call: Call, pod: KubeObject, container: string): ApiError {
  const status = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses']
    .flatMap((list) => listAt(pod, 'status', list))
    .find((each) => textAt(each, 'name') === container);
  const reason = textAt(status, 'state', 'waiting', 'reason') ?? 'ContainerCreating';
  const why = pullTroubles[reason] ?? reason;
  return badRequest(`container "${container}" in pod "${nameOf(call)}" is waiting to start: ${why}`);
}

const noPrevious = (call: Call, container: string): ApiError =>
  badRequest(`previous terminated container "${container}" in pod "${nameOf(call)}" not found`);
