import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { lookAtSources, readSource } from '#machines/cli/files/sources.ts';
import type { MachineIo } from '#machines/controller/machine-io.ts';
import type { SourceFact } from '#machines/decide/model.ts';

type RootedSources = Pick<MachineIo, 'filesRoot' | 'sources' | 'source'>;

/**
 * Sources below one folder, and none outside: a user with write access to Clusters must not read the controller's file
 * system. Links are followed as long as they stay inside, which those of mounted ConfigMaps do. `own`: a folder of the
 * program itself, which is allowed beside it.
 */
export function rootedSources(root: string | undefined, own?: string): RootedSources {
  const filesRoot = root === undefined ? '/' : resolve(root);
  const why = (path: string, isDeep: boolean): string | undefined => {
    if (own !== undefined && isBelow(resolve(path), own)) return whyOutside(path, own, isDeep);
    return root === undefined ? noRoot : whyOutside(path, filesRoot, isDeep);
  };
  return {
    filesRoot,
    async sources(paths, deep) {
      const found = new Map<string, SourceFact>();
      for (const path of new Set(paths)) {
        const what = why(path, deep.has(path));
        if (what !== undefined) found.set(path, { type: 'refused', what });
        else for (const [key, fact] of await lookAtSources([path], deep)) found.set(key, fact);
      }
      return found;
    },
    async source(path) {
      const what = why(path, false);
      if (what !== undefined) throw new Error(`the source ${path} is ${what}`);
      return readSource(path);
    },
  };
}

const noRoot = 'not available: the controller was started without --files-root';

/** Why a path, or what it holds, may not be read; undefined when it may, or is not there. */
function whyOutside(path: string, root: string, isDeep: boolean): string | undefined {
  if (!isBelow(resolve(path), root)) return `outside of --files-root ${root}`;
  const realRoot = realOf(root);
  if (realRoot === undefined) return `not available: --files-root ${root} does not exist`;
  const leaving = leavingLink(path, realRoot, { levels: isDeep ? 32 : 1, seen: new Set() });
  return leaving === undefined ? undefined : `outside of --files-root ${root} through the link ${leaving}`;
}

type Walk = { readonly levels: number; readonly seen: Set<string> };

function leavingLink(path: string, realRoot: string, { levels, seen }: Walk): string | undefined {
  const real = realOf(path);
  if (real === undefined) return undefined;
  if (!isBelow(real, realRoot)) return path;
  if (levels === 0 || !statSync(real).isDirectory()) return undefined;
  // A link can lead to a folder that contains it.
  if (seen.has(real)) return levels > 1 ? path : undefined;
  seen.add(real);
  for (const name of readdirSync(real)) {
    // What Kubernetes mounts keeps its data in `..data` and dated folders, which are never sent themselves.
    if (name.startsWith('..')) continue;
    const found = leavingLink(join(path, name), realRoot, { levels: levels - 1, seen });
    if (found !== undefined) return found;
  }
  return undefined;
}

const isBelow = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Missing, or a dead link: reading it reports that.
    return undefined;
  }
}
