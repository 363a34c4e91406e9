import type { UnderWay } from '#machines/decide/objects/host-claims.ts';
import type { SourceFact } from '#machines/decide/model.ts';
import type { Machines } from '#edge/ssh/machines.ts';
import type { Secret } from '#edge/secret.ts';
import type { Newest } from '#loop/owned/newest.ts';

/** What is known of the keys of an object's machines, and where new ones are noted. */
export type HostKeyBook = {
  readonly insecure: boolean;
  expected(address: string, port: number): string | undefined;
  seen(address: string, port: number, fingerprint: string): void;
};

export type JobLogPlace = {
  readonly cluster: string;
  readonly operation: string;
  readonly step: string;
  readonly node: string;
  readonly attempt: number;
};

/** Machines and files, as the controllers of Clusters and Machines get them. */
export type MachineDoors = {
  /** The controllers' own: what they keep of clusters is there. */
  readonly namespace: string;
  /** Relative sources count from it, and none may lie outside. */
  readonly filesRoot: string;
  readonly sources: (
    paths: readonly string[],
    deep: ReadonlySet<string>,
  ) => Promise<ReadonlyMap<string, SourceFact>>;
  readonly source: (path: string) => Promise<{ readonly content: Uint8Array; readonly digest: string }>;
  /** `sha256:` and hex digits of a text in UTF-8. */
  readonly sha256: (text: string) => string;
  readonly secret: (text: string) => Secret;
  readonly open: (
    about: { readonly cluster: string; readonly operation: string },
    keys: HostKeyBook,
  ) => Promise<Machines>;
  readonly logFile: (place: JobLogPlace) => string;
  /** Told to others that find a machine in use: host and process. */
  readonly holder: string;
  /** What the controllers of this process work on, by `Kind/name`: one must not begin on a host of another's. */
  readonly underWay: Map<string, UnderWay>;
  /** What they have written themselves. */
  readonly newest: Newest;
};

/** Machines and files, for Clusters and Machines; without them those are left alone. */
export type WithMachines = { readonly machines?: MachineDoors | undefined };
