import { isObject, textAt, type JsonObject } from '#base/json.ts';
import { readDocuments } from '#machines/cli/files/read-documents.ts';
import { ExitError } from '#command/exit.ts';
import { isTkestack } from '#machines/decide/read-cluster.ts';
import { compileTkestack } from '#machines/decide/tkestack.ts';
import { resolve } from 'node:path';

export type ReadObjects = { readonly cluster: JsonObject; readonly machines: readonly JsonObject[] };

/** Reads a Cluster and its Machines from files: comments are removed, and missing names are added. */
export function readObjects(paths: readonly string[], installer: string | undefined): ReadObjects {
  const files = paths.map((path) => readDocuments(path === '-' ? '/dev/stdin' : resolve(path)));
  const documents = files.flatMap((each) => each.documents).filter((each) => isObject(each));
  const found = documents.filter((each) => textAt(each, 'kind') === 'Cluster');
  const [cluster] = found;
  const kinds = documents.filter((each) => !isTkestack(each)).map((each) => `a ${textAt(each, 'kind')}`);
  if (kinds.length > 0 || cluster === undefined || found.length > 1)
    throw new ExitError(
      2,
      `${paths.join(', ')}: one Cluster of platform.tkestack.io/v1 is needed, with its Machines if there are any; ` +
        `found: ${[`${found.length} of them`, ...kinds].join(', ')}`,
    );
  const declared = compileTkestack(files, { sources: new Map() }, { agent: true, force: false });
  const { id } = declared.cluster;
  const strangers = declared.problems.filter(({ origin }) => origin.pointer.endsWith('/spec/clusterName'));
  if (strangers.length > 0)
    throw new ExitError(
      2,
      strangers.map(({ origin, message }) => `${origin.file}: ${origin.pointer}: ${message}`).join('\n'),
    );
  const machines = documents.filter((each) => textAt(each, 'kind') === 'Machine');
  return {
    cluster: withInstaller(named(cluster, id), installer),
    machines: machines.map((machine) => ofCluster(named(machine, nameOfMachine(machine)), id)),
  };
}

function named(object: JsonObject, name: string): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { name, ...metadata } };
}

const nameOfMachine = (machine: JsonObject): string =>
  `mc-${(textAt(machine, 'spec', 'ip') ?? '').replaceAll(/[^0-9a-f]+/g, '-')}`;

function ofCluster(machine: JsonObject, clusterName: string): JsonObject {
  const spec = isObject(machine['spec']) ? machine['spec'] : {};
  return { ...machine, spec: { type: 'Baremetal', clusterName, ...spec } };
}

function withInstaller(cluster: JsonObject, installer: string | undefined): JsonObject {
  const spec = isObject(cluster['spec']) ? cluster['spec'] : {};
  return installer === undefined ? cluster : { ...cluster, spec: { ...spec, installer } };
}
