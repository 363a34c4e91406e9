import { runSuite, type Place } from '../suite/run-suite.ts';
import { fromCold } from './cold-stage.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type RegistrationsEffort,
  type RegistrationsFigureId,
  type RegistrationsMeasurement,
} from './figures.ts';
import { besideHanging } from './hanging-stage.ts';
import { startHookService, type HookService } from './hook-service.ts';
import { startRegistrationsCluster, type RegistrationsCluster } from './registrations-cluster.ts';
import { relist } from './relist-stage.ts';

type Act = (
  cluster: RegistrationsCluster,
  service: HookService,
  effort: RegistrationsEffort,
) => Promise<readonly RegistrationsMeasurement[]>;

/** Measures registrations and prints what it found. */
export const runRegistrations = (args: readonly string[]): Promise<void> =>
  runSuite<RegistrationsFigureId, RegistrationsEffort>(
    {
      name: 'registrations',
      figures,
      fullEffort,
      quickEffort,
      stages: [
        { name: 'cold', ids: ['cold', 'cold-memory'], run: onCluster('crdregistration', fromCold) },
        { name: 'relist', ids: ['relist-writes', 'relist-calls'], run: onCluster('none', relist) },
        {
          name: 'hanging',
          ids: ['hanging'],
          run: onCluster('crdregistration', async (...given) => [await besideHanging(...given)]),
        },
      ],
    },
    args,
  );

/** `controllers`: which of ours run in the server's process. */
const onCluster =
  (controllers: string, act: Act) =>
  async ({ folder, effort, options }: Place<RegistrationsFigureId, RegistrationsEffort>) => {
    const service = await startHookService();
    const cluster = await startRegistrationsCluster({ folder, profile: options.profile, controllers });
    try {
      return await act(cluster, service, effort);
    } finally {
      await cluster.stop();
      await service.stop();
    }
  };
