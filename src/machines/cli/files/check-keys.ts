import { accessSync, constants, statSync } from 'node:fs';
import type { DeclaredCluster, NodeLogin } from '#machines/decide/model.ts';
import { problemAt, type SpecProblem } from '#machines/decide/problem.ts';

/** Private keys that files name must exist before a connection is opened. */
export function checkKeys({ nodes, file }: Pick<DeclaredCluster, 'nodes' | 'file'>): readonly SpecProblem[] {
  const found = new Map<string, SpecProblem>();
  const look = ({ methods }: NodeLogin, pointer: string): void => {
    for (const method of methods) {
      if (method.type !== 'privateKey' || method.key.type !== 'file') continue;
      const why = faultOf(method.key.path);
      if (why !== undefined) found.set(pointer + method.key.path, problemAt(file, pointer, why));
    }
  };
  for (const { login, jump } of nodes) {
    look(login, '/private-key-path');
    if (jump !== undefined) look(jump.login, '/jump-host/private-key-path');
  }
  return [...found.values()];
}

function faultOf(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return `the private key ${path} is not a regular file`;
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return `the private key ${path} ${isMissing ? 'does not exist' : 'cannot be read'}`;
  }
}
