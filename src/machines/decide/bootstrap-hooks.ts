import type { Millis } from '#base/time.ts';
import type { Binding, Point } from './model.ts';
import { folderOf } from './paths.ts';
import { bootstrapPolicy } from './presets.ts';

/** The three files of the installer, by their exact names. */
const files: readonly (readonly [string, Point])[] = [
  ['pre-install', 'pre'],
  ['post-cluster-ready', 'ready'],
  ['post-install', 'post'],
];

export const bootstrapPaths = (folder: string): readonly string[] =>
  files.map(([name]) => `${folder}/${name}`);

/** They run on the operator's machine, in the parent of the hooks folder, without arguments. */
export const bindBootstrap = (folder: string, timeout: Millis | undefined): readonly Binding[] =>
  files.map(([name, point]) => ({
    name,
    operations: ['bootstrap'],
    point,
    scope: { type: 'local' },
    action: { type: 'source', candidates: [`${folder}/${name}`], argv: [] },
    policies: { bootstrap: bootstrapPolicy(timeout) },
    depth: 0,
    dialect: 'installer',
    cwd: folderOf(folder),
    origin: { file: '--hooks-dir', pointer: '' },
    declared: `${folder}/${name}`,
  }));
