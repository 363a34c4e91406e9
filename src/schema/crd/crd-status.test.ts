import { describe, expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { instant } from '#base/time.ts';
import { releaseCrd, isCrdTerminating, markCrdDeleted } from './crd-deletion.ts';
import { crdResources } from './crd-resources.ts';
import { nextCrdStatus } from './crd-status.ts';
import { defaultCrd } from './default-crd.ts';
import { prepareCrdCreate, prepareCrdStatusUpdate, prepareCrdUpdate } from './prepare-crd.ts';

const schema: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const version = (name: string, parts: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: schema },
  ...parts,
});

function definition(names: JsonObject, parts: JsonObject = {}): JsonObject {
  const { group = 'example.com', annotations, ...spec } = parts;
  const metadata = {
    name: `${textAt(names, 'plural') ?? ''}.${textAt({ group }, 'group') ?? ''}`,
    ...(annotations === undefined ? {} : { annotations }),
  };
  return prepareCrdCreate(
    defaultCrd({ metadata, spec: { group, scope: 'Namespaced', names, versions: [version('v1')], ...spec } }),
  );
}

const at = (second: number) => instant(second * 1000);

function step(crd: JsonObject, others: readonly JsonObject[] = [], second = 0): JsonObject {
  return { ...crd, status: nextCrdStatus(crd, others, at(second)) };
}

const settled = (crd: JsonObject, others: readonly JsonObject[] = []): JsonObject =>
  step(step(crd, others), others);

const said = (crd: JsonObject): readonly string[] =>
  listAt(crd, 'status', 'conditions').map((each) => {
    const { type, status, reason, message } = each as Record<string, string>;
    return `${type} ${status} ${reason}: ${message}`;
  });

const widgets = definition({ plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['all'] });
const accepted = 'NamesAccepted True NoConflicts: no conflicts found';
const established = 'Established True InitialNamesAccepted: the initial names have been accepted';

test('a new definition has no conditions yet', () => {
  expect(widgets['status']).toEqual({
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: ['v1'],
  });
  expect(crdResources(widgets)).toEqual([]);
});

test('names are accepted first, then it is established, then nothing moves', () => {
  const first = step(widgets, [], 1);
  expect(said(first)).toEqual([
    accepted,
    'Established False Installing: the initial names have been accepted',
  ]);
  const second = step(first, [], 2);
  expect(said(second)).toEqual([accepted, established]);
  expect(second['status']).toMatchObject({
    acceptedNames: {
      plural: 'widgets',
      singular: 'widget',
      shortNames: ['wd'],
      kind: 'Widget',
      listKind: 'WidgetList',
      categories: ['all'],
    },
    conditions: [
      { lastTransitionTime: '1970-01-01T00:00:01Z' },
      { lastTransitionTime: '1970-01-01T00:00:02Z' },
    ],
  });
  expect(nextCrdStatus(second, [], at(3))).toBe(second['status']);
});

test.for<[JsonObject, string]>([
  [{ plural: 'widgets', singular: 'x', kind: 'X' }, 'PluralConflict: "widgets" is already in use'],
  [{ plural: 'xs', singular: 'widget', kind: 'X' }, 'SingularConflict: "widget" is already in use'],
  [
    { plural: 'xs', singular: 'x', kind: 'X', shortNames: ['wd', 'x2'] },
    'ShortNamesConflict: "wd" is already in use',
  ],
  [
    { plural: 'xs', singular: 'x', kind: 'Widget', listKind: 'XList' },
    'KindConflict: "Widget" is already in use',
  ],
  [
    { plural: 'xs', singular: 'x', kind: 'X', listKind: 'WidgetList' },
    'ListKindConflict: "WidgetList" is already in use',
  ],
])('%j clashes', ([names, reason]) => {
  const other = settled(definition(names), [settled(widgets)]);
  expect(said(other)).toEqual([
    `NamesAccepted False ${reason}`,
    'Established False NotAccepted: not all names are accepted',
  ]);
  expect(crdResources(other)).toEqual([]);
});

test('a conflict later keeps the new name out but the definition stays', () => {
  const ours = settled(widgets);
  const theirs = settled(definition({ plural: 'gadgets', kind: 'Gadget', shortNames: ['gd'] }));
  const renamed = {
    ...ours,
    spec: {
      ...(ours['spec'] as JsonObject),
      names: {
        plural: 'widgets',
        singular: 'widget',
        kind: 'Widget',
        listKind: 'WidgetList',
        shortNames: ['gd'],
      },
    },
  };
  const next = step(renamed, [theirs]);
  expect(said(next)).toEqual(['NamesAccepted False ShortNamesConflict: "gd" is already in use', established]);
  expect(crdResources(next)[0]).toMatchObject({ shortNames: ['wd'] });
});

test('names of other groups do not matter', () => {
  const elsewhere = definition({ plural: 'widgets', kind: 'Widget' }, { group: 'other.com' });
  expect(said(settled(elsewhere, [settled(widgets)]))).toEqual([accepted, established]);
});

test.for([
  [
    undefined,
    'False MissingAnnotation: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
  ],
  ['unapproved, for tests', 'False UnapprovedAnnotation: not approved: "unapproved, for tests"'],
  [
    'https://github.com/kubernetes/kubernetes/pull/1',
    'True ApprovedAnnotation: approved in https://github.com/kubernetes/kubernetes/pull/1',
  ],
  [
    'yes',
    'False InvalidAnnotation: protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
  ],
])('approval %j', ([annotation, wanted]) => {
  const annotations =
    annotation === undefined ? {} : { annotations: { 'api-approved.kubernetes.io': annotation } };
  const crd = definition({ plural: 'ws', kind: 'W' }, { group: 'x.k8s.io', ...annotations });
  expect(said(settled(crd))).toEqual([
    accepted,
    established,
    `KubernetesAPIApprovalPolicyConformant ${wanted}`,
  ]);
});

test('a schema that is not structural is said so', () => {
  const loose = { openAPIV3Schema: { type: 'object', properties: { a: {} } } };
  const crd = definition({ plural: 'ws', kind: 'W' }, { versions: [version('v1', { schema: loose })] });
  expect(said(settled(crd))).toContain(
    'NonStructuralSchema True Violations: spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields',
  );
});

describe('deletion', () => {
  const marked = markCrdDeleted(settled(widgets), at(5));

  test('marks, holds and says so', () => {
    expect(marked['metadata']).toMatchObject({
      deletionTimestamp: '1970-01-01T00:00:05Z',
      finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
    });
    expect(said(marked)[2]).toMatch(/^Terminating True InstanceDeletionPending: /);
    expect(isCrdTerminating(marked)).toBe(true);
    expect(markCrdDeleted(marked, at(9))).toBe(marked);
    expect(crdResources(marked)).toHaveLength(1);
  });

  test('goes on and ends', () => {
    const going = step(marked);
    expect(said(going)[2]).toBe(
      'Terminating True InstanceDeletionInProgress: CustomResource deletion is in progress',
    );
    const done = releaseCrd(going, at(7));
    expect(said(done)[2]).toBe('Terminating False InstanceDeletionCompleted: removed all instances');
    expect(done['metadata']).not.toHaveProperty('finalizers');
  });
});

describe('updates', () => {
  const ours = settled(widgets);

  test('keep the status and remember every storage version', () => {
    const spec = {
      ...(ours['spec'] as JsonObject),
      versions: [version('v1', { storage: false }), version('v2', { storage: true })],
    };
    const next = prepareCrdUpdate({ ...ours, spec, status: { storedVersions: ['forged'] } }, ours);
    expect(next['status']).toEqual({ ...(ours['status'] as JsonObject), storedVersions: ['v1', 'v2'] });
  });

  test('of the status change nothing else', () => {
    const next = prepareCrdStatusUpdate(
      { ...ours, spec: {}, metadata: { labels: { a: 'b' } }, status: { storedVersions: ['v1'] } },
      ours,
    );
    expect(next).toEqual({ ...ours, status: { storedVersions: ['v1'] } });
  });
});

test('what is served: one resource per served version, in the order of discovery', () => {
  const crd = definition(
    { plural: 'widgets', kind: 'Widget' },
    {
      scope: 'Cluster',
      versions: [
        version('v1alpha1', { served: false }),
        version('v1beta1', { deprecated: true }),
        version('v1beta2', { deprecated: true, deprecationWarning: 'use v1' }),
        version('v1', {
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.r', statusReplicasPath: '.status.r' },
          },
          additionalPrinterColumns: [{ name: 'R', type: 'integer', jsonPath: '.spec.r' }],
          selectableFields: [{ jsonPath: '.spec.color' }],
        }),
      ],
    },
  );
  const [ga, ...betas] = crdResources(settled(crd));
  expect(ga).toEqual({
    crd: 'widgets.example.com',
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    listKind: 'WidgetList',
    plural: 'widgets',
    singular: 'widget',
    shortNames: [],
    categories: [],
    namespaced: false,
    storageVersion: 'v1',
    subresources: {
      status: true,
      scale: { specReplicasPath: '.spec.r', statusReplicasPath: '.status.r', labelSelectorPath: undefined },
    },
    additionalPrinterColumns: [
      { name: 'R', type: 'integer', format: '', description: '', priority: 0, jsonPath: '.spec.r' },
    ],
    selectableFields: ['.spec.color'],
    schema,
    storageSchema: schema,
    deprecationWarning: undefined,
    preserveUnknownFields: false,
  });
  expect(betas.map((each) => [each.version, each.storageVersion, each.deprecationWarning])).toEqual([
    ['v1beta2', 'v1', 'use v1'],
    ['v1beta1', 'v1', 'example.com/v1beta1 Widget is deprecated'],
  ]);
});
