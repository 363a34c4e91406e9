import type { Clock } from '#base/time.ts';
import type { MachineFleet } from '#cli/machines/machine-fleet.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { ActReply } from '#web/wire/session.ts';
import type { ExampleHook } from './example-hook.ts';
import type { ExampleService } from './example-service.ts';

/** What an example is loaded with; the services and machines start when the first example needs them. */
export type ExampleTools = {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly service: ExampleService;
  readonly hook: ExampleHook;
  readonly fleet: MachineFleet;
};

export type LoadExample = (tools: ExampleTools, signal: AbortSignal) => Promise<ActReply>;
