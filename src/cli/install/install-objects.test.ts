import { expect, test } from 'vitest';
import { at, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { accessObjects } from './access-objects.ts';
import { allComponents, componentNames, type ComponentName } from './components.ts';
import { controlNames, controllerGroups, type ControlName } from './control-names.ts';
import { installObjects } from './install-objects.ts';
import { defaultPlace } from './install-place.ts';
import { secretRoles } from './role-objects.ts';

const place = defaultPlace('1.2.3');
const installed = (
  components: readonly ComponentName[],
  names: readonly ControlName[] = controllerGroups.base,
  namespaces?: readonly string[],
): readonly KubeObject[] =>
  installObjects({ place: { ...place, namespaces }, names: new Set(names), components: new Set(components) });

const textsAt = (rule: Json, field: string): readonly string[] =>
  listAt(rule, field).filter((text) => typeof text === 'string');

/** `verb resource` of all rules, with the namespace of a Role. */
const granted = (objects: readonly KubeObject[]): ReadonlySet<string> =>
  new Set(
    objects.flatMap((object) =>
      listAt(object, 'rules').flatMap((rule) =>
        textsAt(rule, 'resources').flatMap((resource) =>
          textsAt(rule, 'verbs').map((verb) => `${verb} ${resource} ${namespaceOf(object)}`.trimEnd()),
        ),
      ),
    ),
  );

test('no role has a wildcard', () => {
  const all = [...granted(installed(componentNames, controlNames))];
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter((right) => right.includes('*'))).toEqual([]);
});

test('by default nothing is impersonated and no Secret is read', () => {
  const rights = [...granted(installed([]))];
  expect(rights.filter((right) => /impersonate| secrets/.test(right))).toEqual([]);
});

test.for<[ComponentName, string]>([
  ['machines', 'patch secrets boathook-system'],
  ['registrations', 'watch customresourcedefinitions'],
  ['impersonation', 'impersonate serviceaccounts'],
  ['secrets', 'get secrets'],
  ['dashboard-proxy', 'impersonate users'],
])('%s adds the right to %s in a role of its own', ([component, right]) => {
  expect(granted(installed([], controlNames))).not.toContain(right);
  const added = installed([component, 'dashboard'], controlNames).filter((object) =>
    granted([object]).has(right),
  );
  expect(added).toHaveLength(1);
  expect(nameOf(added[0] ?? {})).not.toBe('boathook-controller');
});

test('with namespaces there are only Roles, in these and in the own one', () => {
  const roles = installed(['impersonation', 'secrets'], controllerGroups.base, ['a', 'b']).filter((object) =>
    /Role/.test(textAt(object, 'kind') ?? ''),
  );
  expect(roles.map(namespaceOf)).not.toContain('');
  expect(new Set(roles.map(namespaceOf))).toEqual(new Set(['a', 'b', 'boathook-system']));
  expect([...granted(roles)].filter((right) => right.includes('nodes'))).toEqual([]);
});

test('every binding binds a role that is there, to an account that is there', () => {
  const objects = installed(allComponents, controlNames);
  const has = (kind: string, name: string, namespace: string): boolean =>
    objects.some(
      (each) => textAt(each, 'kind') === kind && nameOf(each) === name && namespaceOf(each) === namespace,
    );
  const bindings = objects.filter((object) => (textAt(object, 'kind') ?? '').endsWith('Binding'));
  expect(bindings.length).toBeGreaterThan(5);
  for (const binding of bindings) {
    const kind = textAt(binding, 'roleRef', 'kind') ?? '';
    const where = kind === 'Role' ? namespaceOf(binding) : '';
    expect(has(kind, textAt(binding, 'roleRef', 'name') ?? '', where)).toBe(true);
    const accounts = listAt(binding, 'subjects').filter((each) => textAt(each, 'kind') !== 'Group');
    for (const subject of accounts)
      expect(has('ServiceAccount', textAt(subject, 'name') ?? '', textAt(subject, 'namespace') ?? '')).toBe(
        true,
      );
  }
});

test('boathook access prints the same roles as the installation', () => {
  const roles = accessObjects(new Set(controlNames), place, ['impersonation', 'secrets']);
  const whole = installed(['machines', 'registrations', 'impersonation', 'secrets'], controlNames);
  for (const object of roles) expect(whole).toContainEqual(object);
  expect(granted(roles)).toEqual(granted(whole));
});

test('Secrets of a namespace are granted by a Role there, bound to the controllers', () => {
  const [role, binding, ...more] = secretRoles(['team-a'], place);
  expect(more).toEqual([]);
  expect(granted([role ?? {}])).toEqual(new Set(['get secrets team-a']));
  expect(binding).toMatchObject({
    metadata: { namespace: 'team-a' },
    subjects: [{ name: 'boathook-controller', namespace: 'boathook-system' }],
  });
});

/** What the Pod Security standard `restricted` demands. */
const isRestricted = (pod: JsonObject): boolean =>
  at(pod, 'securityContext', 'runAsNonRoot') === true &&
  textAt(pod, 'securityContext', 'seccompProfile', 'type') === 'RuntimeDefault' &&
  ['hostNetwork', 'hostPID', 'hostIPC'].every((field) => pod[field] === undefined) &&
  listAt(pod, 'volumes').every((volume) =>
    Object.keys(volume as JsonObject).every((key) =>
      ['name', 'configMap', 'emptyDir', 'secret', 'projected', 'downwardAPI'].includes(key),
    ),
  ) &&
  listAt(pod, 'containers').every(
    (container) =>
      at(container, 'securityContext', 'allowPrivilegeEscalation') === false &&
      at(container, 'securityContext', 'readOnlyRootFilesystem') === true &&
      textsAt(objectAt(container, 'securityContext', 'capabilities') ?? {}, 'drop').includes('ALL') &&
      at(container, 'securityContext', 'capabilities', 'add') === undefined &&
      listAt(container, 'ports').every((port) => at(port, 'hostPort') === undefined),
  );

test('every pod fits into a namespace with the Pod Security standard restricted', () => {
  const pods = installed(componentNames, controlNames)
    .map((object) => objectAt(object, 'spec', 'template', 'spec'))
    .filter((pod) => pod !== undefined);
  expect(pods).toHaveLength(2);
  expect(pods.map(isRestricted)).toEqual([true, true]);
  expect(isRestricted({ ...pods[0], hostNetwork: true })).toBe(false);
});
