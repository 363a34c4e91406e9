import { without, type JsonObject } from '#base/json.ts';
import { compileJsonPath } from '#base/jsonpath.ts';
import type { CustomResource } from '#schema/crd/crd-resources.ts';
import { validateScaleSpec, validateScaleStatus } from '#schema/crd/scale.ts';
import type { FieldError } from '#kube/field-error.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';
import { kindRules, type KindRules } from '#embedded/kinds/rules/kind-rules.ts';
import { compileSchema, type CompiledSchema } from '#schema/structural/compile-schema.ts';
import { TooManyDefaults } from '#schema/structural/defaults.ts';
import { customColumns } from '#embedded/kinds/columns/custom-columns.ts';
import type { Conversion } from '#embedded/kinds/builtin-kind.ts';
import { apiVersionOf, storageOf, type ApiResource } from './resource.ts';

const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Discovery lists the verbs of custom resources in this order. */
const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** One served version of a custom resource. */
export function customResource(definition: CustomResource): ApiResource {
  const { group, version, kind, subresources } = definition;
  const schema = compileSchema(definition.schema ?? anything);
  const columns = customColumns(definition.additionalPrinterColumns);
  return {
    ...definition,
    apiVersion: apiVersionOf(group, version),
    kind,
    verbs: customVerbs,
    subresources: [
      ...(subresources.scale === undefined ? [] : ['scale']),
      ...(subresources.status ? ['status'] : []),
    ],
    storage: storageOf(group, definition.plural),
    rules: customRules(definition, schema),
    generation: subresources.status ? 'all-but-status' : 'all-but-metadata',
    source: {
      type: 'custom',
      crd: definition.crd,
      scale: subresources.scale,
      deprecation: definition.deprecationWarning,
      schema: definition.schema,
      preserveUnknown: definition.preserveUnknownFields,
      unknownFields: (object) => schema.unknownFieldPaths(object),
    },
    shape: () => schema.shape(),
    columns: () => columns,
    conversion: conversionOf(definition, schema),
  };
}

function customRules(definition: CustomResource, schema: CompiledSchema): KindRules {
  const { status, scale } = definition.subresources;
  const replicaErrors = (object: KubeObject): readonly FieldError[] =>
    scale === undefined ? [] : validateScaleSpec(object, scale);
  return kindRules({
    defaults: (object) => schema.defaults(schema.prune(object)),
    prepareCreate: (object) => (status ? without(object, 'status') : object),
    prepareUpdate: (object, old) => (status ? withStatusOf(object, old) : object),
    prepareStatusUpdate: onlyStatus,
    validateCreate: (object) => [...schema.validate(object), ...replicaErrors(object)],
    validateUpdate: (object, old) => [...schema.validate(object, old), ...replicaErrors(object)],
    validateStatusUpdate: (object, old) => [
      ...schema.validateStatus(object, old),
      ...(scale === undefined ? [] : validateScaleStatus(object, scale)),
    ],
    allowUnconditionalUpdate: false,
    hasStatus: status,
    metaOnUpdate: 'none',
    strictFinalizers: false,
    selectableFields: selectable(definition),
  });
}

function withStatusOf(object: KubeObject, old: KubeObject): KubeObject {
  const rest = without(object, 'status');
  return old['status'] === undefined ? rest : { ...rest, status: old['status'] };
}

/** Metadata is reset except for its owners' record. */
function onlyStatus(object: KubeObject, old: KubeObject): KubeObject {
  const { managedFields } = metaOf(object);
  const metadata = {
    ...without(metaOf(old), 'managedFields'),
    ...(managedFields === undefined ? {} : { managedFields }),
  };
  const rest = without(old, 'status');
  return { ...rest, metadata, ...(object['status'] === undefined ? {} : { status: object['status'] }) };
}

/** Field selectors by the JSON paths that the definition lists. */
function selectable({ selectableFields }: CustomResource): KindRules['selectableFields'] {
  return Object.fromEntries(
    selectableFields.map((path) => {
      const compiled = compileJsonPath(path);
      const value = (object: KubeObject): string => {
        const [found] = compiled.find(object);
        return found === undefined || found === null || typeof found === 'object' ? '' : String(found);
      };
      return [path.replace(/^\./, ''), value];
    }),
  );
}

/** What is stored can be read whatever became of its definition: without its defaults if there are too many. */
function readable(schema: CompiledSchema, object: KubeObject): KubeObject {
  try {
    return schema.defaults(object);
  } catch (error) {
    if (error instanceof TooManyDefaults) return object;
    throw error;
  }
}

/** Other versions differ in apiVersion only; defaults are filled on every read. */
function conversionOf(definition: CustomResource, schema: CompiledSchema): Conversion {
  const { group, version, storageVersion } = definition;
  const [here, stored] = [apiVersionOf(group, version), apiVersionOf(group, storageVersion)];
  const storageSchema = compileSchema(definition.storageSchema ?? anything);
  const fromStored = (object: KubeObject): KubeObject => {
    const renamed = object['apiVersion'] === here ? object : { ...object, apiVersion: here };
    return readable(schema, version === storageVersion ? renamed : schema.prune(renamed));
  };
  const toStored = (object: KubeObject): KubeObject =>
    here === stored ? object : storageSchema.defaults(storageSchema.prune({ ...object, apiVersion: stored }));
  return { fromStored, toStored };
}
