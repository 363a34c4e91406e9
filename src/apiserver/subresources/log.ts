import { listAt, textAt } from '#base/json.ts';
import type { ApiResponse } from '#kube/http.ts';
import { badRequest } from '#kube/status.ts';
import { plainType, text } from '#apiserver/answer.ts';
import type { Call, ServerContext } from '#apiserver/call.ts';
import { find } from '#apiserver/verbs/get.ts';

/**
 * GET of `pods/NAME/log`. Which containers there are is checked as a real server does; the lines themselves
 * belong to nodes, and without a node there are none.
 */
export function podLog(context: ServerContext, call: Call): ApiResponse {
  const pod = find(context, call).object;
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    listAt(pod, 'spec', list).map((container) => textAt(container, 'name') ?? ''),
  );
  const asked = call.query.get('container') ?? '';
  if (asked === '' && listAt(pod, 'spec', 'containers').length > 1) throw whichContainer(call, containers);
  if (asked !== '' && !containers.includes(asked)) {
    throw badRequest(`container ${asked} is not valid for pod ${call.target.name ?? ''}`);
  }
  return text(200, plainType, '');
}

const whichContainer = (call: Call, containers: readonly string[]): ReturnType<typeof badRequest> =>
  badRequest(
    `a container name must be specified for pod ${call.target.name ?? ''}, choose one of: [${containers.join(' ')}]`,
  );
