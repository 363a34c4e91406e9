import { type FieldSet, leaf } from './field-set.ts';

/** Fields without a manager: the server sets them, or they name the object. */
export const strippedFields: FieldSet = {
  'f:apiVersion': leaf,
  'f:kind': leaf,
  'f:metadata': {
    '.': leaf,
    'f:clusterName': leaf,
    'f:creationTimestamp': leaf,
    'f:generation': leaf,
    'f:managedFields': leaf,
    'f:name': leaf,
    'f:namespace': leaf,
    'f:resourceVersion': leaf,
    'f:selfLink': leaf,
    'f:uid': leaf,
  },
};
