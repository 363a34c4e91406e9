import type { ContainerKind } from './kubelet-pod.ts';

/** Whether a container that ended with this code is started again. */
export function restarts(kind: ContainerKind, policy: string, exitCode: number): boolean {
  switch (kind) {
    case 'sidecar':
      return true;
    case 'ephemeral':
      return false;
    case 'init':
      return exitCode !== 0 && policy !== 'Never';
    case 'ordinary':
      return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
  }
}

/** The state a container is found in may leave `terminated` only where its policy restarts it. */
export const mayShowEnd = (kind: ContainerKind, policy: string): boolean =>
  kind === 'sidecar' || (kind !== 'ephemeral' && policy === 'Always');
