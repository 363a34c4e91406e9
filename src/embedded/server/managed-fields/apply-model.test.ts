import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, listAt, objectAt, textAt } from '#base/json.ts';
import { instant } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { scalarShape } from '#kube/shape.ts';
import { ApplyConflict } from './apply-conflict.ts';
import { applyServerSide } from './apply.ts';
import { type FieldSet, isMember } from './field-set.ts';
import { storedEntries } from './managed-entry.ts';
import { trackUpdate } from './managed-fields.ts';
import { keyedList, mapOf, metaShape, setList, struct } from '#schema/testing/shapes.ts';

const text = scalarShape;
const shape = struct({
  apiVersion: text,
  kind: text,
  metadata: metaShape,
  spec: struct({
    fixed: text,
    fields: mapOf(text),
    set: setList(text),
    items: keyedList(struct({ k: text, v: text }), ['k']),
  }),
});
const now = instant(0);

/**
 * The world as a flat map: `fields/a` = value, `set/a` = present, `items/a` = present, `items/a/v` = value;
 * with each path, who owns it. An item takes its value along when it goes.
 */
type Values = ReadonlyMap<string, string>;
type World = { readonly values: Map<string, string>; readonly owners: Map<string, Set<string>> };

function update(world: World, wanted: Values): void {
  for (const path of world.values.keys()) {
    if (wanted.has(path)) continue;
    world.values.delete(path);
    world.owners.delete(path);
  }
  for (const [path, value] of wanted) {
    if (world.values.get(path) === value) continue;
    world.values.set(path, value);
    world.owners.set(path, new Set(['updater']));
  }
}

function apply(world: World, manager: string, wanted: Values, force: boolean): readonly string[] {
  const conflicts = [...wanted].flatMap(([path, value]) =>
    world.values.get(path) === value ? [] : others(world, path, manager).map((other) => `${other} ${path}`),
  );
  if (conflicts.length > 0 && !force) return conflicts.sort();
  for (const [path, value] of wanted) {
    const same = world.values.get(path) === value;
    world.owners.set(path, new Set([...(same ? others(world, path, manager) : []), manager]));
    world.values.set(path, value);
  }
  const dropped = [...world.owners].filter(([path, owners]) => owners.has(manager) && !wanted.has(path));
  for (const [path, owners] of dropped) {
    owners.delete(manager);
    if (owners.size === 0) for (const each of [path, `${path}/v`]) forget(world, each);
  }
  return [];
}

const others = (world: World, path: string, manager: string): readonly string[] =>
  [...(world.owners.get(path) ?? [])].filter((owner) => owner !== manager);

function forget(world: World, path: string): void {
  world.values.delete(path);
  world.owners.delete(path);
}

/** The same as an object; order in lists does not matter to the world. */
function specOf(values: Values): JsonObject {
  const names = (prefix: string): readonly string[] =>
    ['a', 'b', 'c'].filter((name) => values.has(`${prefix}/${name}`));
  const fields = Object.fromEntries(
    names('fields').map((name): [string, Json] => [name, values.get(`fields/${name}`) ?? '']),
  );
  const items = names('items').map((k): JsonObject => {
    const v = values.get(`items/${k}/v`);
    return v === undefined ? { k } : { k, v };
  });
  return {
    ...(names('fields').length > 0 ? { fields } : {}),
    ...(names('set').length > 0 ? { set: names('set') } : {}),
    ...(items.length > 0 ? { items } : {}),
  };
}

function valuesOf(object: KubeObject): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(objectAt(object, 'spec', 'fields') ?? {}))
    values[`fields/${name}`] = value as string;
  for (const name of listAt(object, 'spec', 'set')) values[`set/${name as string}`] = 'here';
  for (const item of listAt(object, 'spec', 'items')) {
    values[`items/${textAt(item, 'k')}`] = 'here';
    const value = textAt(item, 'v');
    if (value !== undefined) values[`items/${textAt(item, 'k')}/v`] = value;
  }
  return values;
}

/** A path of the world as path elements below `spec`. */
const elementsOf: Readonly<Record<string, (name: string) => readonly string[]>> = {
  fields: (name) => ['f:fields', `f:${name}`],
  set: (name) => ['f:set', `v:"${name}"`],
  items: (name) => ['f:items', `k:{"k":"${name}"}`],
};

function owns(fields: FieldSet, path: string): boolean {
  const [kind = '', name = '', below] = path.split('/');
  const elements = [
    'f:spec',
    ...(elementsOf[kind]?.(name) ?? []),
    ...(below === undefined ? [] : [`f:${below}`]),
  ];
  const node = elements.reduce<FieldSet | undefined>((set, element) => set?.[element], fields);
  return node !== undefined && isMember(node);
}

function ownersOf(object: KubeObject): Record<string, readonly string[]> {
  const owners: Record<string, string[]> = {};
  for (const { manager, fieldsV1 } of storedEntries(object)) {
    for (const path of paths) if (owns(fieldsV1, path)) (owners[path] ??= []).push(manager);
  }
  for (const each of Object.values(owners)) each.sort();
  return owners;
}

const paths = ['a', 'b', 'c'].flatMap((name) => [
  `fields/${name}`,
  `set/${name}`,
  `items/${name}`,
  `items/${name}/v`,
]);

const wanted: fc.Arbitrary<Values> = fc
  .record(Object.fromEntries(paths.map((path) => [path, fc.constantFrom(undefined, undefined, '1', '2')])))
  .map((choice) => {
    const values = new Map<string, string>();
    for (const path of paths) {
      const value = choice[path];
      const hasItem = !path.endsWith('/v') || values.has(path.slice(0, -2));
      if (value !== undefined && hasItem)
        values.set(path, path.startsWith('fields') || path.endsWith('/v') ? value : 'here');
    }
    return values;
  });

const step = fc.record({
  who: fc.constantFrom('one', 'two', 'updater'),
  wanted,
  force: fc.boolean(),
});

test('two appliers and an updater end where the flat world does', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      const world: World = { values: new Map(), owners: new Map() };
      const named = (spec: JsonObject): KubeObject => ({
        apiVersion: 'v1',
        kind: 'K',
        metadata: { name: 'o' },
        spec,
      });
      let live = trackUpdate({
        shape,
        before: undefined,
        after: named({ fixed: 'x' }),
        manager: 'base',
        apiVersion: 'v1',
        now,
      });
      for (const { who, wanted, force } of steps) {
        if (who === 'updater') {
          update(world, wanted);
          const after = named({ fixed: 'x', ...specOf(wanted) });
          live = trackUpdate({ shape, before: live, after, manager: who, apiVersion: 'v1', now });
        } else {
          const conflicts = apply(world, who, wanted, force);
          const spec = specOf(wanted);
          const applied =
            Object.keys(spec).length === 0
              ? { apiVersion: 'v1', kind: 'K', metadata: { name: 'o' } }
              : named(spec);
          const before = JSON.stringify(live);
          const outcome = attempt(
            () =>
              applyServerSide({ shape, live, applied, manager: who, force, apiVersion: 'v1', now }).object,
          );
          expect(JSON.stringify(live)).toBe(before);
          const told = outcome instanceof ApplyConflict ? conflictsOf(outcome) : [];
          // Whoever made a map keeps the claim to it when its last member goes and takes it along, as on a real
          // server; the flat world has no maps to claim.
          fc.pre(!told.some((conflict) => /^\w+ (?:fields|items|set)$/.test(conflict)));
          expect(told).toEqual(conflicts);
          if (!(outcome instanceof ApplyConflict)) live = outcome;
        }
        expect(valuesOf(live)).toEqual(Object.fromEntries(world.values));
        const expected = [...world.owners].map(([path, owners]) => [path, [...owners].sort()]);
        expect(ownersOf(live)).toEqual(Object.fromEntries(expected));
        expect(objectAt(live, 'spec')?.['fixed']).toBe('x');
      }
    }),
    { numRuns: 400 },
  );
});

function attempt(run: () => KubeObject): KubeObject | ApplyConflict {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApplyConflict) return error;
    throw error;
  }
}

function conflictsOf(error: ApplyConflict): readonly string[] {
  const causes = error.details?.causes ?? [];
  return causes
    .map(({ message = '', field = '' }) => {
      const manager = /"(\w+)"/.exec(message)?.[1] ?? '';
      const path = field
        .replace('.spec.', '')
        .replace(/\[(?:k)?="(\w)"\]/, '/$1')
        .replaceAll('.', '/');
      return `${manager} ${path}`;
    })
    .sort();
}

test('applying twice is applying once', () => {
  fc.assert(
    fc.property(wanted, wanted, (first, second) => {
      const applied = (values: Values): KubeObject => ({
        apiVersion: 'v1',
        kind: 'K',
        metadata: { name: 'o' },
        spec: { ...specOf(values), fixed: 'x' },
      });
      const request = { shape, apiVersion: 'v1', force: true, now };
      const start = applyServerSide({
        ...request,
        live: undefined,
        applied: applied(first),
        manager: 'one',
      }).object;
      const once = applyServerSide({
        ...request,
        live: start,
        applied: applied(second),
        manager: 'two',
      }).object;
      const twice = applyServerSide({ ...request, live: once, applied: applied(second), manager: 'two' });
      expect(twice.changed).toBe(false);
      expect(twice.object).toEqual(once);
      expect(isObject(once['spec'])).toBe(true);
    }),
  );
});
