import { setTimeout as sleep } from 'node:timers/promises';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { parseTime } from '#base/time.ts';
import { Connection, mustBe, openAll, type Address, type Ask } from '../apiserver/connection.ts';

export const runsPath = '/apis/tkex.tencent.com/v1alpha1/namespaces/bench/hookruns';
const clients = 32;

export type RunWish = { readonly name: string; readonly url: string; readonly metric?: JsonObject };

const createRun = ({ name, url, metric = {} }: RunWish): Ask => ({
  method: 'POST',
  path: runsPath,
  body: JSON.stringify({
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookRun',
    metadata: { name },
    spec: {
      metrics: [
        {
          name: 'age',
          successCondition: 'asInt(result) < 30',
          provider: { web: { url, jsonPath: '{$.age}' } },
          ...metric,
        },
      ],
    },
  }),
});

/** Makes runs evenly over a span of time. */
export async function makeRuns(
  address: Address,
  wishes: readonly RunWish[],
  spreadMillis: number,
): Promise<void> {
  const connections = await openAll(address, clients);
  const began = performance.now();
  let next = 0;
  const worker = async (connection: Connection): Promise<void> => {
    for (let number = next++; number < wishes.length; number = next++) {
      const wait = began + (number / wishes.length) * spreadMillis - performance.now();
      if (wait > 0) await sleep(wait);
      const wish = wishes[number];
      if (wish !== undefined) mustBe(await connection.send(createRun(wish)), 201);
    }
  };
  await Promise.all(connections.map(worker));
  for (const connection of connections) connection.close();
}

/** All runs as the server has them. */
export async function readRuns(address: Address): Promise<readonly JsonObject[]> {
  const connection = await Connection.open(address);
  const { text } = mustBe(await connection.send({ method: 'GET', path: runsPath, keep: true }), 200);
  connection.close();
  return listAt(JSON.parse(text) as JsonObject, 'items') as readonly JsonObject[];
}

/** The planned start of the first call of each run, in milliseconds since 1970. */
export async function plannedStarts(address: Address): Promise<ReadonlyMap<string, number>> {
  const runs = await readRuns(address);
  return new Map(
    runs.map((run) => {
      const [result] = listAt(run, 'status', 'metricResults');
      return [
        textAt(run, 'metadata', 'name') ?? '',
        parseTime(textAt(result, 'plannedFrom') ?? '') ?? Number.NaN,
      ];
    }),
  );
}
