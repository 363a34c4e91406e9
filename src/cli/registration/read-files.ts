import { crdRegistration } from '#api/registration/crd-registration.ts';
import { isObject, listAt, textAt, type JsonObject } from '#base/json.ts';
import { ExitError } from '#cli/exit.ts';
import { readText } from '#cli/hook/templates.ts';
import { referenceKey } from '#decide/registration/references.ts';
import { apiVersionOf, kindOf, nameOf, namespaceOf, withMeta, type KubeObject } from '#kube/object.ts';
import { parseYamlStrict, YamlInvalid } from '#edge/yaml.ts';

/** What stands in the files. */
export type Files = {
  readonly registrations: readonly KubeObject[];
  readonly crds: readonly KubeObject[];
  readonly others: readonly KubeObject[];
};

export function readFiles(filenames: readonly string[]): Files {
  const objects = filenames.flatMap(objectsOf);
  const isCrd = (each: KubeObject): boolean => kindOf(each) === 'CustomResourceDefinition';
  const isRegistration = (each: KubeObject): boolean => kindOf(each) === crdRegistration.kind;
  const registrations = objects.filter(isRegistration);
  if (registrations.length === 0)
    throw new ExitError(2, `${filenames.join(', ')}: no ${crdRegistration.kind} in there`);
  return {
    registrations,
    crds: objects.filter(isCrd),
    others: objects.filter((each) => !isCrd(each) && !isRegistration(each)),
  };
}

/** The instances of a registration: whatever is of its group. */
export function instancesOf(crd: string, others: readonly KubeObject[]): readonly KubeObject[] {
  const group = crd.slice(crd.indexOf('.') + 1);
  return others.filter((each) => apiVersionOf(each).startsWith(`${group}/`));
}

/** Objects of files by their references; those without a namespace are where they are looked for. */
export function objectsByKey(
  objects: readonly KubeObject[],
  namespace: string,
): ReadonlyMap<string, KubeObject> {
  return new Map(
    objects.map((object) => {
      const placed = namespaceOf(object) === '' ? withMeta(object, { namespace }) : object;
      const reference = {
        apiVersion: apiVersionOf(object),
        kind: kindOf(object),
        namespace: namespaceOf(placed),
        name: nameOf(object),
      };
      return [referenceKey(reference), placed] as const;
    }),
  );
}

function objectsOf(filename: string): readonly JsonObject[] {
  const { documents, duplicates } = parsed(filename);
  if (duplicates.length > 0) throw new ExitError(2, `${filename}: ${duplicates.join(', ')}`);
  const all = documents.flatMap((each) => (textAt(each, 'kind') === 'List' ? listAt(each, 'items') : [each]));
  return all.map((each) => {
    if (isObject(each) && textAt(each, 'kind') !== undefined) return each;
    throw new ExitError(2, `${filename}: a document is no Kubernetes object: it has no kind`);
  });
}

function parsed(filename: string): ReturnType<typeof parseYamlStrict> {
  try {
    return parseYamlStrict(readText(filename));
  } catch (error) {
    if (error instanceof YamlInvalid) throw new ExitError(2, `${filename}: ${error.message}`);
    throw error;
  }
}
