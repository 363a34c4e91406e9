import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { Documents } from '#machines/decide/placed.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

/** Objects as the compiler of files reads them. */
export type ObjectDocuments = {
  readonly files: readonly Documents[];
  /** The file of the Cluster. */
  readonly main: string;
};

/** A path in the folder that sources count from, so that the compiler resolves them there. */
const fileOf = (root: string, kind: string, object: KubeObject): string =>
  `${root}/${kind} ${nameOf(object)}`;

/**
 * A Cluster and its Machines, with commands alone among its hooks. `gone`: addresses of masters that the spec has no
 * more; nothing runs on them, but others are told to forget them.
 */
export function documentsOf(
  root: string,
  { cluster, machines }: { readonly cluster: KubeObject; readonly machines: readonly KubeObject[] },
  { commands, gone }: { readonly commands: JsonObject; readonly gone: readonly string[] },
): ObjectDocuments {
  const spec = objectAt(cluster, 'spec') ?? {};
  const features = { ...objectAt(spec, 'features'), hooks: commands };
  const masters = [...listAt(spec, 'machines'), ...gone.map(placeholder)];
  const main = fileOf(root, 'Cluster', cluster);
  const keys = objectAt(spec, 'hostKeys');
  const document = {
    ...cluster,
    spec: { ...spec, machines: masters.map((each) => entryOf(each, keys)), features },
  };
  return {
    main,
    files: [
      { file: main, documents: [document] },
      ...machines.map((machine) => ({
        file: fileOf(root, 'Machine', machine),
        documents: [{ ...machine, spec: entryOf(objectAt(machine, 'spec') ?? {}, keys) }],
      })),
    ],
  };
}

/** A machine as the compiler reads it: secrets in one line, and the key that is pinned for its address. */
function entryOf(entry: Json, keys: JsonObject | undefined): JsonObject {
  const whole = pinned(entry, keys);
  const proxy = objectAt(whole, 'proxy');
  return { ...inOneLine(whole), ...(proxy !== undefined && { proxy: inOneLine(proxy) }) };
}

/** `base64` breaks its lines, and TKEStack passes over that. */
const inOneLine = (entry: JsonObject): JsonObject => ({
  ...entry,
  ...Object.fromEntries(
    ['password', 'privateKey', 'passPhrase'].flatMap((key) => {
      const text = textAt(entry, key);
      return text === undefined ? [] : [[key, text.replaceAll(/\s/g, '')]];
    }),
  ),
});

/** The key that the spec pins for a machine's address. */
function pinned(entry: Json, keys: JsonObject | undefined): JsonObject {
  const own = entry as JsonObject;
  const key = textAt(keys, textAt(own, 'ip') ?? '');
  return key === undefined || textAt(own, 'hostKey') !== undefined ? own : { ...own, hostKey: key };
}

const placeholder = (ip: string): JsonObject => ({ ip, password: 'LQ==' });

/** The value at a JSON pointer of one of the documents, for secrets. */
export function atPointer(
  { files }: ObjectDocuments,
  { file, pointer }: { readonly file: string; readonly pointer: string },
): Json | undefined {
  let current: Json | undefined = files.find((each) => each.file === file)?.documents[0];
  for (const key of pointer.split('/').slice(1)) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Readonly<Record<string, Json>>)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return current;
}
