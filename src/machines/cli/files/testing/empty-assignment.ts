import type { JournalRecord } from '#machines/decide/progress.ts';
import type { Assignment } from '#machines/cli/files/assignment.ts';
import { requestOf, runOptionsOf } from '#machines/cli/files/options.ts';

/** An operation that has nothing to do on any machine. */
export function emptyAssignment(
  clusterFolder: string,
  records: readonly JournalRecord[],
  nodes: readonly string[] = [],
): Assignment {
  const given = { filename: ['/c.yaml'], installer: 'none', parallel: '20', dataDir: clusterFolder };
  return {
    id: 'one',
    request: requestOf('deploy', given, nodes),
    prepared: {
      operation: 'cluster.create',
      declaration: {
        cluster: {
          id: 'c',
          format: 'tkestack',
          file: '/c.yaml',
          nodes: [],
          endpoint: { host: '192.0.2.1', port: 6443 },
          configDir: '/etc/kubernetes',
          certificateNames: [],
        },
        bindings: [],
        files: [],
        problems: [],
        notes: [],
      },
      plan: {
        cluster: 'c',
        operation: 'cluster.create',
        stages: [],
        parallel: 1,
        onUnreachable: 'refuse',
        notes: [],
      },
      added: [],
      nodes: [],
    },
    records,
    clusterFolder,
    members: { added: [], removed: [] },
    options: runOptionsOf(given),
  };
}
