import { isObject, numberAt, textAt, type JsonObject } from '#base/json.ts';
import { invalid } from '#kube/field-error.ts';
import type { ApiResponse } from '#kube/http.ts';
import type { KubeObject } from '#kube/object.ts';
import { badRequest, invalidObject } from '#kube/status.ts';
import { scaleColumns } from '#embedded/kinds/columns/autoscaling.ts';
import { renderTable } from '#embedded/kinds/columns/render.ts';
import { json } from '#embedded/server/request/answer.ts';
import { nameOf, namespaceOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import { objectFormat } from '#embedded/server/request/negotiate.ts';
import { includeObject } from '#embedded/server/verbs/get.ts';
import { wrongNamespace } from '#embedded/server/write/update-object.ts';

/** A Scale, or its Table for `kubectl get`. */
export function scaleAnswer(context: ServerContext, call: Call, current: JsonObject): ApiResponse {
  const format = objectFormat(call.request.headers['accept']);
  if (format.type !== 'table') return json(200, current);
  const table = renderTable({
    columns: scaleColumns,
    objects: [current],
    listMeta: { resourceVersion: textAt(current, 'metadata', 'resourceVersion') ?? '' },
    includeObject: includeObject(call.query),
    now: context.clock.now(),
  });
  return json(200, table);
}

/** The scale must be that of the object in the URL, and no negative one. */
export function checkScale(call: Call, wanted: KubeObject): void {
  if (!isObject(wanted)) throw badRequest('the body must be a Scale');
  const name = textAt(wanted, 'metadata', 'name') ?? '';
  if (name !== '' && name !== nameOf(call)) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${nameOf(call)})`);
  }
  const namespace = textAt(wanted, 'metadata', 'namespace') ?? '';
  if (namespace !== '' && namespace !== namespaceOf(call)) throw wrongNamespace();
  const replicas = numberAt(wanted, 'spec', 'replicas') ?? 0;
  if (replicas >= 0 || call.resource.source.type === 'custom') return;
  const error = invalid('spec.replicas', replicas, 'must be greater than or equal to 0');
  throw invalidObject({ group: 'autoscaling', kind: 'Scale' }, nameOf(call), [error]);
}
