import { readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isObject, listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { parseYaml } from '#edge/yaml.ts';
import { KubeconfigInvalid } from './kubeconfig-invalid.ts';

/** A named entry and the folder of its file, from which its relative paths start. */
export type Entry = { readonly name: string; readonly json: JsonObject; readonly folder: string };

export type MergedConfig = {
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
};

/** The files kubectl would read: those of `KUBECONFIG`, else the one in the home folder. */
export function kubeconfigPaths(kubeconfig: string | undefined, home: string): readonly string[] {
  const named = (kubeconfig ?? '').split(delimiter).filter((path) => path !== '');
  return named.length > 0 ? named : [join(home, '.kube', 'config')];
}

/** Reads and merges files as kubectl does: missing ones do not count, of two values the first wins. */
export function mergeKubeconfigs(paths: readonly string[]): MergedConfig | undefined {
  const files = paths.flatMap((path) => readConfig(resolve(path)));
  if (files.length === 0) return undefined;
  const collect = (list: string, member: string): ReadonlyMap<string, Entry> => {
    const entries = files.flatMap((file) => entriesOf(file, list, member));
    return new Map(entries.reverse().map((entry) => [entry.name, entry]));
  };
  const current = files.map(({ json }) => textAt(json, 'current-context') ?? '').find((name) => name !== '');
  return {
    currentContext: current ?? '',
    clusters: collect('clusters', 'cluster'),
    contexts: collect('contexts', 'context'),
    users: collect('users', 'user'),
  };
}

type ConfigFile = { readonly json: JsonObject; readonly folder: string };

function readConfig(path: string): readonly ConfigFile[] {
  try {
    const [json] = parseYaml(readFileSync(path, 'utf8'));
    if (json === undefined || json === null) return [];
    if (!isObject(json)) throw new KubeconfigInvalid(`The kubeconfig ${path} is not a map.`);
    return [{ json, folder: dirname(path) }];
  } catch (error) {
    if (error instanceof KubeconfigInvalid) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    const why = error instanceof Error ? error.message : String(error);
    throw new KubeconfigInvalid(`The kubeconfig ${path} cannot be read: ${why}.`, error);
  }
}

function entriesOf({ json, folder }: ConfigFile, list: string, member: string): Entry[] {
  return listAt(json, list).flatMap((item) => {
    const name = textAt(item, 'name');
    const found = objectAt(item, member) ?? {};
    return name === undefined ? [] : [{ name, json: found, folder }];
  });
}
