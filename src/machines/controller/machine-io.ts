import type { UnderWay } from '#machines/decide/objects/host-claims.ts';
import type { SourceFact } from '#machines/decide/model.ts';
import type { Machines } from '#edge/ssh/machines.ts';
import type { Secret } from '#edge/secret.ts';
import type { Newest } from '#loop/owned/newest.ts';

/** Host keys of the machines of an object. */
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

/** Access to machines and files for the controllers of Clusters and Machines. */
export type MachineIo = {
  /** The namespace of the controllers: artifacts of clusters are stored there. */
  readonly namespace: string;
  /** Relative sources are below this folder; sources outside it are refused. */
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
  /** The file of the output of an attempt that begins or continues. */
  readonly logFile: (place: JobLogPlace) => string;
  /** Nothing is added to the output any more. */
  readonly logEnded: (place: JobLogPlace) => void;
  /** No script of the operation is followed any more. */
  readonly logsEnded: (place: Pick<JobLogPlace, 'cluster' | 'operation'>) => void;
  /** Host and process: shown to others that find a machine in use. */
  readonly holder: string;
  /** Operations that the controllers of this process run, by `Kind/name`: two must not begin on one host. */
  readonly underWay: Map<string, UnderWay>;
  /** Objects as these controllers have written them. */
  readonly newest: Newest;
};

/** Without access to machines the controllers do nothing. */
export type WithMachines = { readonly machines?: MachineIo | undefined };
