import { at } from '#base/json.ts';
import { hostKeysIn, hostName } from '#machines/decide/objects/host-keys.ts';
import type { HostKeyBook } from './machine-io.ts';
import type { OperationRun } from './operation-run.ts';

/** Host keys of an operation: those in the status of its objects, and those seen first during the run. */
export function operationHostKeys(run: OperationRun): HostKeyBook {
  const { subject } = run;
  const cluster = subject.cluster();
  const others = subject.workers(run.state.about.wanted).flatMap(hostKeysIn);
  const known = new Map([...others, ...hostKeysIn(cluster)]);
  return {
    insecure: at(cluster, 'spec', 'insecureIgnoreHostKey') === true,
    expected(address, port) {
      const host = hostName(address, port);
      return run.state.hostKeys.get(host) ?? known.get(host);
    },
    seen: (address, port, key) =>
      void run.dispatch({ type: 'host-key-seen', host: hostName(address, port), key }),
  };
}
