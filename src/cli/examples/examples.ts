import { seconds, type Clock } from '#base/time.ts';
import type { MachineFleet } from '#cli/machines/machine-fleet.ts';
import type { Examples } from '#web/server/dashboard-deps.ts';
import { ExampleHook } from './example-hook.ts';
import { ExampleService } from './example-service.ts';
import type { LoadExample } from './example.ts';
import { machineExample } from './machine-example.ts';
import { registrationExample } from './registration-example.ts';
import { releaseExample } from './release-example.ts';
import { canaryObjects, statefulCanaryObjects } from './release-objects.ts';

type Example = Examples['list'][number] & { readonly load: LoadExample };

const known: readonly Example[] = [
  {
    id: 'canary',
    title: 'A canary that a hook stops',
    text: 'Four pods of gd/shop are updated in place: one pod, a pause for you, two pods, three seconds, a hook. The hook reads a rising error rate and stops the release within a minute.',
    load: releaseExample(canaryObjects),
  },
  {
    id: 'stateful-canary',
    title: 'A stateful canary',
    text: 'The same with gsts/db: pods keep their names and are updated from the highest ordinal down.',
    load: releaseExample(statefulCanaryObjects),
  },
  {
    id: 'machines',
    title: 'A cluster on three simulated machines',
    text: 'Scripts and a simulated kubeadm run over SSH on three machines of this computer. The last script fails on one of them for a while: open its cell, read why, and click Retry.',
    load: machineExample,
  },
  {
    id: 'registration',
    title: 'A registration with a hook',
    text: 'A kind WebApp is registered, and two of its objects are created. A hook sets the variables of one and refuses the size of the other, with the reason.',
    load: registrationExample,
  },
];

export type OpenExamples = Examples & { close(): Promise<void> };

/** The examples that the dashboard of `boathook up` offers, and the services that their hooks call. */
export function openExamples(clock: Clock, fleet: MachineFleet): OpenExamples {
  const service = new ExampleService();
  const hook = new ExampleHook();
  return {
    list: known.map(({ id, title, text }) => ({ id, title, text })),
    async load(id, client, signal) {
      const example = known.find((each) => each.id === id);
      if (example === undefined) return { result: 'Invalid', message: `There is no example ${id}.` };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(seconds(30))]);
      return example.load({ client, clock, service, hook, fleet }, limit);
    },
    async close() {
      service.close();
      await hook.close();
    },
  };
}
