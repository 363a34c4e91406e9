import { runSuite } from '../suite/run-suite.ts';
import { atOnce } from './at-once-stage.ts';
import { conditionsTime } from './conditions-stage.ts';
import {
  figures,
  fullEffort,
  quickEffort,
  type MachineObjectsEffort,
  type MachineObjectsFigureId,
} from './figures.ts';

/** `npm run bench -- machine-objects [--quick]`: many Clusters at once, for one controller. */
export const runMachineObjects = (args: readonly string[]): Promise<void> =>
  runSuite<MachineObjectsFigureId, MachineObjectsEffort>(
    {
      name: 'machine-objects',
      figures,
      fullEffort,
      quickEffort,
      stages: [
        {
          name: 'at once',
          ids: figures.flatMap(({ id }) => (id === 'conditions' ? [] : [id])),
          run: ({ effort }) => atOnce(effort),
        },
        { name: 'conditions', ids: ['conditions'], run: conditionsTime },
      ],
    },
    args,
  );
