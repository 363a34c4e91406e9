import type { JsonObject, MutableJsonObject } from '#base/json.ts';
import { actionParameters } from './parameters.ts';
import { referenceTo } from './type-schema.ts';

export type OperationAction = 'get' | 'list' | 'post' | 'put' | 'patch' | 'delete' | 'deletecollection';

/** The kind that an operation is about. */
export type OperationTarget = { readonly group: string; readonly version: string; readonly kind: string };

export type OperationInput = {
  readonly action: OperationAction;
  readonly subject: OperationTarget;
  /** What follows the verb in the operation's id: `AppsV1NamespacedDeployment`. */
  readonly idTail: string;
  readonly tag: string;
  /** The component that the operation takes, and the one that it gives; undefined for plain text. */
  readonly takes: string;
  readonly gives: string | undefined;
  readonly custom: boolean;
};

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const customPatchTypes = patchTypes.filter((type) => !type.includes('strategic'));
const patchName = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';
export const deleteOptionsName = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';
export const statusName = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';

/** A patch is any object at all, so the table of types has none. */
export const patchComponent: JsonObject = { [patchName]: { type: 'object' } };

const verbs: Readonly<Record<OperationAction, string>> = {
  get: 'read',
  list: 'list',
  post: 'create',
  put: 'replace',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'deleteCollection',
};

/** One operation, with the marks that kubectl looks for. */
export function operation(input: OperationInput): JsonObject {
  const { action, subject, tag } = input;
  const built: MutableJsonObject = { tags: [tag], operationId: verbs[action] + input.idTail };
  const parameters = actionParameters[action] ?? [];
  if (parameters.length > 0) built['parameters'] = parameters;
  const body = requestBody(input);
  if (body !== undefined) built['requestBody'] = body;
  built['responses'] = responses(input);
  built['x-kubernetes-action'] = action;
  built['x-kubernetes-group-version-kind'] = {
    group: subject.group,
    kind: subject.kind,
    version: subject.version,
  };
  return built;
}

function requestBody({ action, takes, custom }: OperationInput): JsonObject | undefined {
  switch (action) {
    case 'get':
    case 'list':
      return undefined;
    case 'delete':
    case 'deletecollection':
      return { content: { '*/*': { schema: referenceTo(deleteOptionsName) } } };
    case 'patch':
      return {
        required: true,
        content: sameFor(custom ? customPatchTypes : patchTypes, patchName),
      };
    case 'post':
    case 'put':
      return { required: true, content: { '*/*': { schema: referenceTo(takes) } } };
  }
}

const sameFor = (types: readonly string[], component: string): JsonObject =>
  Object.fromEntries(types.map((type) => [type, { schema: referenceTo(component) }]));

const successes: Readonly<
  Record<OperationAction, readonly (readonly [code: string, description: string])[]>
> = {
  get: [['200', 'OK']],
  list: [['200', 'OK']],
  post: [
    ['200', 'OK'],
    ['201', 'Created'],
    ['202', 'Accepted'],
  ],
  put: [
    ['200', 'OK'],
    ['201', 'Created'],
  ],
  patch: [
    ['200', 'OK'],
    ['201', 'Created'],
  ],
  delete: [
    ['200', 'OK'],
    ['202', 'Accepted'],
  ],
  deletecollection: [['200', 'OK']],
};

function responses({ action, gives }: OperationInput): JsonObject {
  const content =
    gives === undefined
      ? { 'text/plain': { schema: { type: 'string' } } }
      : sameFor(['application/json', 'application/yaml'], gives);
  const codes = successes[action].map(([code, description]) => [code, { description, content }]);
  return { ...Object.fromEntries(codes), '401': { description: 'Unauthorized' } };
}
