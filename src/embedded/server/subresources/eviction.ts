import { at, listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import type { ApiResponse } from '#kube/http.ts';
import { labelSelectorOf, matchesLabels } from '#kube/label-selector.ts';
import { isDeleting, labelsOf, nameOf as objectName, type KubeObject } from '#kube/object.ts';
import { ApiError, badRequest } from '#kube/status.ts';
import { json } from '#embedded/server/request/answer.ts';
import { keyOf, nameOf, namespaceOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import type { Stored } from '#embedded/server/store/stored.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import { missing } from '#embedded/server/verbs/get.ts';
import { decodeBody } from '#embedded/server/write/decode.ts';
import { deleteObject } from '#embedded/server/write/delete-object.ts';
import { expectedKind } from '#embedded/server/write/expected.ts';
import { bodyType } from '#embedded/server/write/media-type.ts';
import { owned } from '#embedded/server/write/ownership.ts';
import { readBody } from '#embedded/server/write/read-body.ts';
import { writeOptions } from '#embedded/server/write/write-options.ts';

const budgets = 'policy/poddisruptionbudgets';

/** POST to `pods/NAME/eviction`: a delete that checks PodDisruptionBudgets first. */
export async function evict(context: ServerContext, call: Call): Promise<ApiResponse> {
  const options = writeOptions(call, 'CreateOptions');
  const type = bodyType(call.request.headers['content-type'], false);
  const expected = { ...expectedKind('policy', 'v1', 'Eviction'), aliases: ['policy/v1beta1'] };
  const { object } = decodeBody(context, await readBody(call.request), type, expected);
  const name = objectName(object);
  if (name !== '' && name !== nameOf(call))
    throw badRequest('name in URL does not match name in Eviction object');
  const given = objectAt(object, 'deleteOptions') ?? {};
  const write = (transaction: Transaction): void => evictPod(context, transaction, call, given);
  if (options.dryRun || listAt(given, 'dryRun').includes('All')) context.store.rehearse(write);
  else await context.store.transact(write);
  return json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

function evictPod(context: ServerContext, transaction: Transaction, call: Call, given: JsonObject): void {
  const { resource } = call;
  const stored = transaction.get(resource.storage, keyOf(call));
  if (stored === undefined) throw missing(call);
  if (needsBudget(stored.object)) spendBudget(context, transaction, call, stored);
  deleteObject(context, transaction, {
    resource,
    stored: markTarget(context, transaction, call, stored),
    options: {
      graceSeconds: numberAt(given, 'gracePeriodSeconds'),
      propagation: undefined,
      uid: textAt(given, 'preconditions', 'uid'),
      revision: textAt(given, 'preconditions', 'resourceVersion'),
      dryRun: false,
    },
  });
}

/** Finished, terminating and pending pods do not count against a budget. */
const needsBudget = (pod: KubeObject): boolean =>
  !isDeleting(pod) && !['Succeeded', 'Failed', 'Pending', ''].includes(textAt(pod, 'status', 'phase') ?? '');

/** The server itself writes what an eviction leaves behind. */
const manager = 'kube-apiserver';

/** Adds the DisruptionTarget condition to the pod. */
function markTarget(
  context: ServerContext,
  transaction: Transaction,
  { resource }: Call,
  pod: Stored,
): Stored {
  const others = listAt(pod.object, 'status', 'conditions').filter(
    (each) => at(each, 'type') !== 'DisruptionTarget',
  );
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: formatTime(context.clock.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const status = { ...objectAt(pod.object, 'status'), conditions: [...others, condition] };
  return transaction.put(resource.storage, pod.key, { ...pod.object, status });
}

function spendBudget(context: ServerContext, transaction: Transaction, call: Call, pod: Stored): void {
  const found = [...transaction.table(budgets).range(namespaceOf(call))].filter(({ object }) =>
    matchesLabels(labelSelectorOf(objectAt(object, 'spec', 'selector')), labelsOf(pod.object)),
  );
  if (found.length > 1) throw tooManyBudgets();
  const budget = found[0];
  if (budget === undefined) return;
  checkBudget(budget.object);
  const resource = context.registry.find('policy', 'v1', 'poddisruptionbudgets');
  if (resource === undefined) throw new Error('poddisruptionbudgets are always served');
  const spent = spentBudget(context, budget.object, pod.name);
  transaction.put(
    budgets,
    budget.key,
    owned(context, { resource, manager, subresource: 'status' }, spent, budget.object),
  );
}

function checkBudget(budget: KubeObject): void {
  const name = objectName(budget);
  const generation = numberAt(budget, 'metadata', 'generation') ?? 0;
  if ((numberAt(budget, 'status', 'observedGeneration') ?? 0) < generation) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const allowed = numberAt(budget, 'status', 'disruptionsAllowed') ?? 0;
  if (allowed > 0) return;
  const [wanted, healthy] = [
    numberAt(budget, 'status', 'desiredHealthy') ?? 0,
    numberAt(budget, 'status', 'currentHealthy') ?? 0,
  ];
  throw refused(
    `The disruption budget ${name} needs ${wanted} healthy pods and has ${healthy} currently`,
    undefined,
  );
}

function spentBudget(context: ServerContext, budget: KubeObject, pod: string): KubeObject {
  const status = objectAt(budget, 'status') ?? {};
  const now = formatTime(context.clock.now());
  const disruptionsAllowed = (numberAt(status, 'disruptionsAllowed') ?? 0) - 1;
  const others = listAt(status, 'conditions').filter((each) => at(each, 'type') !== 'DisruptionAllowed');
  const condition = {
    type: 'DisruptionAllowed',
    status: disruptionsAllowed > 0 ? 'True' : 'False',
    observedGeneration: numberAt(status, 'observedGeneration') ?? 0,
    lastTransitionTime: now,
    reason: disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
  return {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed,
      disruptedPods: { ...objectAt(status, 'disruptedPods'), [pod]: now },
      conditions: disruptionsAllowed > 0 ? listAt(status, 'conditions') : [...others, condition],
    },
  };
}

const refused = (message: string, retryAfterSeconds: number | undefined): ApiError =>
  new ApiError({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  });

const tooManyBudgets = (): ApiError =>
  new ApiError({
    code: 500,
    reason: 'InternalError',
    message:
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  });
