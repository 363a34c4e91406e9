import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { at, listAt, numberAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { decideGameDeployment } from '#releases/decide/game-deployment/decide.ts';
import type { Decision } from '#releases/decide/snapshot.ts';
import { parseYaml } from '#edge/yaml.ts';
import { noon } from '#kube/workload/testing/objects.ts';
import { actionShort } from './action-short.ts';
import { snapshotFromCase, type Given } from './case-snapshot.ts';

type Case = {
  readonly name: string;
  readonly given: Given;
  readonly expect: Expected;
};

type Expected = {
  /** All of them, in any order. */
  readonly acts?: readonly string[];
  /** The whole change. */
  readonly spec?: JsonObject | null;
  /** Part of the status. */
  readonly status?: JsonObject;
  /** Members that the status must not have. */
  readonly absent?: readonly string[];
  /** Of the Progressing condition. */
  readonly reason?: string;
  /** Part of the message. */
  readonly message?: string;
  /** All finalizers that are written; null: no change. */
  readonly finalizers?: readonly string[] | null;
  /** Reasons of events. */
  readonly said?: readonly string[];
  /** Seconds after noon. */
  readonly wake?: number | null;
  /** READY and so on: UPDATED/UPDATED_READY/READY/TOTAL. */
  readonly row?: string;
  /** The args of the first run that is made. */
  readonly args?: JsonObject;
};

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

describe.for(files)('%s', (file) => {
  const [cases = []] = parseYaml(
    readFileSync(new URL(file, folder), 'utf8'),
  ) as unknown as (readonly Case[])[];
  test.for(cases)('$name', ({ given, expect: wanted }) => {
    const { snapshot, spec } = snapshotFromCase(given);
    const decision = decideGameDeployment(snapshot, spec);
    expect(Object.keys(wanted)).not.toEqual([]);
    for (const [name, value] of Object.entries(wanted))
      checks[name as keyof typeof checks](decision, value as never);
  });
});

const checks: {
  readonly [Name in keyof Expected]-?: (decision: Decision, value: NonNullable<Expected[Name]>) => void;
} = {
  acts: ({ actions }, value) => expect(actions.map(actionShort).sort()).toEqual([...value].sort()),
  finalizers: ({ finalizers }, value) => expect(finalizers ?? null).toEqual(value),
  spec: ({ spec }, value) => expect(spec ?? null).toEqual(value),
  status: ({ status }, value) => expect(status).toMatchObject(value),
  absent: ({ status }, value) => {
    for (const name of value) expect(status).not.toHaveProperty(name);
  },
  reason: (decision, value) => expect(conditionOf(decision, 'Progressing')?.['reason']).toBe(value),
  message: ({ status }, value) => expect(status['message']).toContain(value),
  said: ({ notes }, value) => expect(notes.map(({ reason }) => reason)).toEqual(value),
  wake: (decision, value) => expect(wakeOf(decision)).toBe(value),
  row: (decision, value) => expect(rowOf(decision)).toBe(value),
  args: (decision, value) => expect(argsOf(decision)).toEqual(value),
};

test('there are cases', () => {
  expect(files.length).toBeGreaterThan(5);
});

const conditionOf = ({ status }: Decision, type: string): JsonObject | undefined =>
  listAt(status, 'conditions').find((each): each is JsonObject => textAt(each, 'type') === type);

const wakeOf = ({ wakeAt }: Decision): number | null =>
  wakeAt === undefined ? null : (wakeAt - noon) / 1000;

const rowOf = ({ status }: Decision): string =>
  ['updatedReplicas', 'updatedReadyReplicas', 'readyReplicas', 'replicas']
    .map((name) => numberAt(status, name))
    .join('/');

function argsOf({ actions }: Decision): Json {
  const made = actions.find((action) => action.type === 'create-run');
  const args = made === undefined ? [] : listAt(made.run, 'spec', 'args');
  return Object.fromEntries(args.map((arg) => [textAt(arg, 'name') ?? '', at(arg, 'value') ?? null]));
}
