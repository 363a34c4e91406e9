import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { at, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { decideGameDeployment } from '#decide/workload/game-deployment/decide.ts';
import type { Decision } from '#decide/workload/sight.ts';
import { parseYaml } from '#edge/yaml.ts';
import { noon } from '#kube/workload/objects-for-tests.ts';
import { actShort } from './act-short.ts';
import { sceneOf, type Given } from './scene.ts';

type Case = {
  readonly name: string;
  readonly given: Given;
  readonly expect: {
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
    /** Reasons of events. */
    readonly said?: readonly string[];
    /** Seconds after noon. */
    readonly wake?: number | null;
    /** READY and so on: UPDATED/UPDATED_READY/READY/TOTAL. */
    readonly row?: string;
    /** The args of the first run that is made. */
    readonly args?: JsonObject;
  };
};

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

describe.for(files)('%s', (file) => {
  const [cases = []] = parseYaml(
    readFileSync(new URL(file, folder), 'utf8'),
  ) as unknown as (readonly Case[])[];
  test.for(cases)('$name', ({ given, expect: wanted }) => {
    const { sight, spec } = sceneOf(given);
    const decision = decideGameDeployment(sight, spec);
    expect(Object.keys(wanted)).not.toEqual([]);
    if (wanted.acts !== undefined)
      expect(decision.acts.map(actShort).sort()).toEqual([...wanted.acts].sort());
    if (wanted.spec !== undefined) expect(decision.spec ?? null).toEqual(wanted.spec);
    if (wanted.status !== undefined) expect(decision.status).toMatchObject(wanted.status);
    for (const name of wanted.absent ?? []) expect(decision.status).not.toHaveProperty(name);
    if (wanted.reason !== undefined)
      expect(conditionOf(decision, 'Progressing')?.['reason']).toBe(wanted.reason);
    if (wanted.message !== undefined) expect(decision.status['message']).toContain(wanted.message);
    if (wanted.said !== undefined) expect(decision.said.map(({ reason }) => reason)).toEqual(wanted.said);
    if (wanted.wake !== undefined) expect(wakeOf(decision)).toBe(wanted.wake);
    if (wanted.row !== undefined) expect(rowOf(decision)).toBe(wanted.row);
    if (wanted.args !== undefined) expect(argsOf(decision)).toEqual(wanted.args);
  });
});

test('there are cases', () => {
  expect(files.length).toBeGreaterThan(5);
});

const conditionOf = ({ status }: Decision, type: string): JsonObject | undefined =>
  listAt(status, 'conditions').find((each): each is JsonObject => textAt(each, 'type') === type);

const wakeOf = ({ wakeAt }: Decision): number | null =>
  wakeAt === undefined ? null : (wakeAt - noon) / 1000;

const rowOf = ({ status }: Decision): string =>
  ['updatedReplicas', 'updatedReadyReplicas', 'readyReplicas', 'replicas']
    .map((name) => status[name])
    .join('/');

function argsOf({ acts }: Decision): Json {
  const made = acts.find((act) => act.type === 'create-run');
  const args = made === undefined ? [] : listAt(made.run, 'spec', 'args');
  return Object.fromEntries(args.map((arg) => [textAt(arg, 'name') ?? '', at(arg, 'value') ?? null]));
}
