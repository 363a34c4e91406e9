import { textAt, type JsonObject } from '#base/json.ts';
import { seconds } from '#base/time.ts';
import { hookTemplates } from '#hooks/kinds/resources.ts';
import { kindOf, nameOf, objectKeyOf } from '#kube/object.ts';
import { gameDeployments, gameStatefulSets } from '#releases/controller/resources.ts';
import type { ActReply } from '#web/wire/session.ts';
import { createObjects, refused } from './create-objects.ts';
import type { LoadExample } from './example.ts';

/** Creates a HookTemplate and a workload, waits until its first version runs, and starts a release of the second. */
export const releaseExample =
  (
    objectsFor: (serviceUrl: string) => { readonly template: JsonObject; readonly workload: JsonObject },
  ): LoadExample =>
  async ({ client, clock, service }, signal): Promise<ActReply> => {
    const { template, workload } = objectsFor(await service.start());
    const resource = kindOf(workload) === 'GameDeployment' ? gameDeployments : gameStatefulSets;
    const failure = await createObjects(
      client,
      clock,
      [
        { resource: hookTemplates, object: template, ifThere: 'replace' },
        { resource, object: workload, ifThere: 'refuse' },
      ],
      signal,
    );
    if (failure !== undefined) return failure;
    const key = objectKeyOf(workload);
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
  };
