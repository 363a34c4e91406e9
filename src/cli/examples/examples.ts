import { textAt, type JsonObject } from '#base/json.ts';
import { seconds, type Clock } from '#base/time.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import { hookTemplates } from '#hooks/kinds/resources.ts';
import { kindOf, nameOf, objectKeyOf } from '#kube/object.ts';
import type { Resource } from '#kube/resource.ts';
import { gameDeployments, gameStatefulSets } from '#releases/controller/resources.ts';
import type { Examples } from '#web/server/dashboard-deps.ts';
import type { ActReply } from '#web/wire/session.ts';
import { canaryObjects, statefulCanaryObjects } from './example-objects.ts';
import { ExampleService } from './example-service.ts';

type Example = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly objects: (serviceUrl: string) => readonly JsonObject[];
};

const known: readonly Example[] = [
  {
    id: 'canary',
    title: 'A canary that a hook stops',
    text: 'Four pods of gd/shop are updated in place: one pod, a pause for you, two pods, three seconds, a hook. The hook reads a rising error rate and stops the release within a minute.',
    objects: canaryObjects,
  },
  {
    id: 'stateful-canary',
    title: 'A stateful canary',
    text: 'The same with gsts/db: pods keep their names and are updated from the highest ordinal down.',
    objects: statefulCanaryObjects,
  },
];

export type OpenExamples = Examples & { close(): void };

/** The examples that the dashboard of `boathook up` offers, and the service that their hooks call. */
export function openExamples(clock: Clock): OpenExamples {
  const service = new ExampleService();
  return {
    list: known.map(({ id, title, text }) => ({ id, title, text })),
    async load(id, client, signal) {
      const example = known.find((each) => each.id === id);
      if (example === undefined) return { result: 'Invalid', message: `There is no example ${id}.` };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(seconds(30))]);
      const objects = example.objects(await service.start());
      return (await createAll(client, objects, limit)) ?? (await release(client, clock, objects, limit));
    },
    close: () => service.close(),
  };
}

const resources: Readonly<Record<string, Resource>> = {
  HookTemplate: hookTemplates,
  GameDeployment: gameDeployments,
  GameStatefulSet: gameStatefulSets,
};
const resourceFor = (object: JsonObject): Resource => resources[kindOf(object)] ?? hookTemplates;

/** Undefined: all objects exist now. A HookTemplate of another example is replaced, a workload is not. */
async function createAll(
  client: KubeClient,
  objects: readonly JsonObject[],
  signal: AbortSignal,
): Promise<ActReply | undefined> {
  for (const object of objects) {
    const outcome = await client.create(resourceFor(object), object, signal);
    if (outcome.type === 'ok') continue;
    if (outcome.type !== 'exists') return refused(object, outcome);
    if (kindOf(object) !== 'HookTemplate')
      return {
        result: 'Nothing',
        message: `${kindOf(object)} ${nameOf(object)} exists already: delete it to load the example again.`,
      };
    const body = { spec: object['spec'] ?? {} };
    const patched = await client.patch(hookTemplates, objectKeyOf(object), { type: 'merge', body }, signal);
    if (patched.type !== 'ok') return refused(object, patched);
  }
  return undefined;
}

/** Waits until the first version runs, and starts a release of the second. */
async function release(
  client: KubeClient,
  clock: Clock,
  objects: readonly JsonObject[],
  signal: AbortSignal,
): Promise<ActReply> {
  const workload = objects.at(-1) ?? {};
  const [resource, key] = [resourceFor(workload), objectKeyOf(workload)];
  for (;;) {
    const found = await client.get(resource, key, signal);
    if (found.type !== 'ok') return refused(workload, found);
    if (textAt(found.object, 'status', 'phase') === 'Complete') break;
    await clock.sleep(seconds(0.2), signal);
  }
  const path = '/spec/template/spec/containers/0/image';
  const body = [{ op: 'replace', path, value: `${nameOf(workload)}:1.1` }];
  const patched = await client.patch(resource, key, { type: 'json', body }, signal);
  if (patched.type !== 'ok') return refused(workload, patched);
  return {
    result: 'Done',
    message: `${kindOf(workload)} ${nameOf(workload)} runs, and a release of ${nameOf(workload)}:1.1 has started.`,
  };
}

const refused = (object: JsonObject, { type, message }: Refusal): ActReply => ({
  result: type === 'forbidden' ? 'Forbidden' : 'Refused',
  message: `${kindOf(object)} ${nameOf(object)}: ${message}`,
});
