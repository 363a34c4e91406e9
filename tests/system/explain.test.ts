import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BuiltinKind } from '#embedded/kinds/builtin-kind.ts';
import { builtinKinds } from '#embedded/kinds/builtin-kinds.ts';
import type { BuiltinType } from '#schema/types/builtin-type.ts';
import { builtinType, membersOf, typeNameOf, typeOfField } from '#schema/types/builtin-types.ts';
import { startBoathook, type Boathook } from '../support/boathook.ts';
import { gaps } from '../support/kubectl-gaps.ts';
import { findKubectls, openTerminal, type Terminal } from '../support/kubectl.ts';

const served = builtinKinds.filter((each) => each.served);
const newest = (await findKubectls()).at(-1);
const gap = gaps.schema.find(
  ({ name, until }) =>
    name === 'explain --recursive prints all levels' && newest !== undefined && newest.minor < until,
);

let server: Boathook;
let kubectl: Terminal;
beforeAll(async () => {
  server = await startBoathook();
  if (newest === undefined) throw new Error('this machine has no kubectl');
  kubectl = openTerminal(newest, server, 'default');
});
afterAll(() => server[Symbol.asyncDispose]());

const versionOf = ({ group, version }: BuiltinKind): string =>
  group === '' ? version : `${group}/${version}`;

const explain = (resource: BuiltinKind): Promise<string> =>
  kubectl.run(['explain', resource.plural, '--recursive', `--api-version=${versionOf(resource)}`]);

test('there are kinds to explain, and versions of the same kind among them', () => {
  expect(served.length).toBeGreaterThan(40);
  expect(served.filter(({ plural }) => plural === 'horizontalpodautoscalers')).toHaveLength(2);
});

if (gap === undefined) {
  test.for(served.map((resource) => ({ resource, of: versionOf(resource), kind: resource.kind })))(
    'explain --recursive shows all fields of $kind in $of, and no other',
    async ({ resource }) => {
      const out = await explain(resource);
      expect(/^KIND: +(\w+)$/m.exec(out)?.[1]).toBe(resource.kind);
      expect(/^VERSION: +(\w+)$/m.exec(out)?.[1]).toBe(resource.version);
      expect(shownFields(out)).toEqual(fieldsOfKind(resource));
    },
  );
} else {
  test.for(served.slice(0, 1))(`cannot do: ${gap.name} with kubectl ${newest?.version}`, async (resource) => {
    await expect(explain(resource)).rejects.toThrow(gap.says);
  });
}

/** What the table of types says, one line per field: its path, and whether it is required. */
function fieldsOfKind({ group, version, kind }: BuiltinKind): readonly string[] {
  const type = builtinType(typeNameOf(group, version, kind) ?? '');
  if (type === undefined) throw new Error(`the table has no ${kind} in ${group}/${version}`);
  return fieldsOf(type, '', []).toSorted();
}

/** A type within itself is named but not entered, as kubectl does it. */
function fieldsOf(type: BuiltinType, path: string, above: readonly BuiltinType[]): readonly string[] {
  if (type.special !== undefined || above.includes(type)) return [];
  const marks = type.isKind ? [`${path}apiVersion`, `${path}kind`] : [];
  const members = [...membersOf(type)].flatMap(([name, field]) => {
    const inner = typeOfField(field);
    const below = inner === undefined ? [] : fieldsOf(inner, `${path}${name}.`, [...above, type]);
    return [`${path}${name}${field.required ? ' -required-' : ''}`, ...below];
  });
  return [...marks, ...members];
}

/** The same from what kubectl printed: two columns further in for each level. */
function shownFields(out: string): readonly string[] {
  const path: string[] = [];
  const lines = out.slice(out.indexOf('\nFIELDS:\n')).split('\n');
  const fields = lines.flatMap((line) => {
    const [, indent = '', name = '', required = ''] =
      /^((?: {2})+)([^\s]+)\t<[^>]+>( -required-)?$/.exec(line) ?? [];
    if (name === '') return [];
    path.splice(indent.length / 2 - 1, path.length, name);
    return [path.join('.') + required];
  });
  return fields.toSorted();
}
