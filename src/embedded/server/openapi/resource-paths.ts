import type { JsonObject, MutableJsonObject } from '#base/json.ts';
import { typeNameOf } from '#schema/types/builtin-types.ts';
import { customTypeName } from './custom-schema.ts';
import { operation, statusName, type OperationAction, type OperationTarget } from './operation.ts';
import { nameInPath, namespaceInPath, prettyParameter } from './parameters.ts';
import { listKindOf, rootPath, type GroupVersion, type ResourceDescription } from './resource-description.ts';
import { knownSubresources } from './subresources.ts';

/** All paths of one resource: its collections, its objects, their subresources. */
export function resourcePaths(resource: ResourceDescription): JsonObject {
  const root = rootPath(resource);
  const home = resource.namespaced ? `${root}/namespaces/{namespace}` : root;
  const collection = `${home}/${resource.plural}`;
  const paths: MutableJsonObject = {};
  const add = (path: string, operations: JsonObject): void => {
    if (Object.keys(operations).length > 0) paths[path] = { ...operations, parameters: pathParameters(path) };
  };
  if (resource.namespaced) add(`${root}/${resource.plural}`, everywhere(resource));
  add(collection, operationsFor(resource, collectionActions));
  add(`${collection}/{name}`, operationsFor(resource, objectActions));
  for (const name of resource.subresources) add(`${collection}/{name}/${name}`, subresource(resource, name));
  return paths;
}

/** The component of a built-in or custom kind. */
const componentOf = (groupVersion: GroupVersion, kind: string): string =>
  typeNameOf(groupVersion.group, groupVersion.version, kind) ?? customTypeName(groupVersion, kind);

type VerbAction = { readonly verb: string; readonly method: string; readonly action: OperationAction };

const collectionActions: readonly VerbAction[] = [
  { verb: 'list', method: 'get', action: 'list' },
  { verb: 'create', method: 'post', action: 'post' },
  { verb: 'deletecollection', method: 'delete', action: 'deletecollection' },
];
const objectActions: readonly VerbAction[] = [
  { verb: 'get', method: 'get', action: 'get' },
  { verb: 'update', method: 'put', action: 'put' },
  { verb: 'patch', method: 'patch', action: 'patch' },
  { verb: 'delete', method: 'delete', action: 'delete' },
];

function operationsFor(resource: ResourceDescription, actions: readonly VerbAction[]): JsonObject {
  const scope = resource.namespaced ? 'Namespaced' : '';
  const operations: MutableJsonObject = {};
  for (const { verb, method, action } of actions) {
    if (!resource.verbs.includes(verb)) continue;
    operations[method] = operationOf(resource, action, { tail: scope + resource.kind, body: resource });
  }
  return operations;
}

function everywhere(resource: ResourceDescription): JsonObject {
  if (!resource.verbs.includes('list')) return {};
  return { get: operationOf(resource, 'list', { tail: `${resource.kind}ForAllNamespaces`, body: resource }) };
}

function subresource(resource: ResourceDescription, name: string): JsonObject {
  const known = knownSubresources[name];
  const operations: MutableJsonObject = {};
  const scope = resource.namespaced ? 'Namespaced' : '';
  const tail = `${scope}${resource.kind}${capital(name)}`;
  for (const action of known?.actions ?? []) {
    const text = known?.text === true;
    operations[action] = operationOf(resource, action, { tail, body: known?.body ?? resource, text });
  }
  return operations;
}

type Details = { readonly tail: string; readonly body: OperationTarget; readonly text?: boolean };

function operationOf(
  resource: ResourceDescription,
  action: OperationAction,
  { tail, body, text }: Details,
): JsonObject {
  const takes = componentOf(body, body.kind);
  const gives = action.startsWith('delete') ? statusName : takes;
  return operation({
    action,
    subject: { group: body.group, version: body.version, kind: body.kind },
    idTail: `${groupWord(resource)}${capital(resource.version)}${tail}`,
    tag: `${groupWord(resource, false)}_${resource.version}`,
    takes,
    gives:
      text === true ? undefined : action === 'list' ? componentOf(resource, listKindOf(resource)) : gives,
    custom: typeNameOf(resource.group, resource.version, resource.kind) === undefined,
  });
}

function pathParameters(path: string): readonly JsonObject[] {
  return [
    ...(path.includes('{name}') ? [nameInPath] : []),
    ...(path.includes('{namespace}') ? [namespaceInPath] : []),
    prettyParameter,
  ];
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `rbac.authorization.k8s.io` is called `RbacAuthorization`, the group without a name `Core`. */
function groupWord({ group }: GroupVersion, capitalised = true): string {
  const words = (group === '' ? 'core' : group.replace(/\.k8s\.io$/, '')).split(/[^A-Za-z0-9]+/);
  const word = words.map(capital).join('');
  return capitalised ? word : word.charAt(0).toLowerCase() + word.slice(1);
}
