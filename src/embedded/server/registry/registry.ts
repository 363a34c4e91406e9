import { builtinKinds } from '#embedded/kinds/builtin-kinds.ts';
import { builtinResource } from './builtin.ts';
import type { ApiResource } from './resource.ts';
import { compareKubeVersions } from '#kube/versions.ts';

export type Group = { readonly name: string; readonly versions: readonly ServedVersion[] };
export type ServedVersion = { readonly version: string; readonly resources: readonly ApiResource[] };

/** The resources that are served now: the built-in ones and those of established definitions. */
export class Registry {
  readonly #byPath = new Map<string, ApiResource>();
  readonly #builtinGroups: Group[] = [];
  readonly #custom = new Map<string, readonly ApiResource[]>();
  #groups: readonly Group[] | undefined;
  /** Raised by every change; caches of discovery documents compare it. */
  generation = 1;

  constructor() {
    for (const each of builtinKinds) if (each.served) this.#addBuiltin(builtinResource(each));
  }

  find(group: string, version: string, plural: string): ApiResource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** All served resources, every version of each. */
  all(): readonly ApiResource[] {
    return [...this.#byPath.values()];
  }

  group(name: string): Group | undefined {
    return this.groups().find((group) => group.name === name);
  }

  isBuiltin(group: string): boolean {
    return this.#builtinGroups.some((each) => each.name === group);
  }

  groups(): readonly Group[] {
    this.#groups ??= [...this.#builtinGroups, ...this.#customGroups()];
    return this.#groups;
  }

  /** Serves what a definition declares, in place of what it declared before. */
  setCustom(crd: string, resources: readonly ApiResource[]): void {
    this.#forget(crd);
    this.#custom.set(crd, resources);
    for (const resource of resources) this.#byPath.set(pathOf(resource), resource);
    this.#changed();
  }

  removeCustom(crd: string): void {
    if (!this.#custom.has(crd)) return;
    this.#forget(crd);
    this.#changed();
  }

  customOf(crd: string): readonly ApiResource[] {
    return this.#custom.get(crd) ?? [];
  }

  #forget(crd: string): void {
    for (const resource of this.customOf(crd)) this.#byPath.delete(pathOf(resource));
    this.#custom.delete(crd);
  }

  #changed(): void {
    this.#groups = undefined;
    this.generation += 1;
  }

  #addBuiltin(resource: ApiResource): void {
    this.#byPath.set(pathOf(resource), resource);
    addTo(this.#builtinGroups, resource);
  }

  #customGroups(): readonly Group[] {
    const groups: Group[] = [];
    for (const resource of [...this.#custom.values()].flat()) addTo(groups, resource);
    return groups
      .map((group) => ({
        ...group,
        versions: group.versions.toSorted((left, right) => compareKubeVersions(left.version, right.version)),
      }))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  }
}

const pathOf = (resource: ApiResource): string => `${resource.group}/${resource.version}/${resource.plural}`;

function addTo(groups: Group[], resource: ApiResource): void {
  const index = groups.findIndex((group) => group.name === resource.group);
  const group = groups[index] ?? { name: resource.group, versions: [] };
  const known = group.versions.find((each) => each.version === resource.version);
  const grown = { version: resource.version, resources: [...(known?.resources ?? []), resource] };
  const versions =
    known === undefined
      ? [...group.versions, grown]
      : group.versions.map((each) => (each === known ? grown : each));
  if (index < 0) groups.push({ name: resource.group, versions });
  else groups[index] = { name: resource.group, versions };
}
