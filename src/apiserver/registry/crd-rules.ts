import { defaultCrd } from '#kube/crd/default-crd.ts';
import { prepareCrdCreate, prepareCrdStatusUpdate, prepareCrdUpdate } from '#kube/crd/prepare-crd.ts';
import { validateCrd, validateCrdStatusUpdate, validateCrdUpdate } from '#kube/crd/validate-crd.ts';
import { kindRules, type KindRules } from '#kube/rules/kind-rules.ts';

/** The rules of CustomResourceDefinition itself (C1–C3). */
export const crdRules: KindRules = kindRules({
  defaults: defaultCrd,
  prepareCreate: prepareCrdCreate,
  prepareUpdate: prepareCrdUpdate,
  prepareStatusUpdate: prepareCrdStatusUpdate,
  validateCreate: validateCrd,
  validateUpdate: validateCrdUpdate,
  validateStatusUpdate: validateCrdStatusUpdate,
  generation: 'spec',
  allowUnconditionalUpdate: false,
  hasStatus: true,
  strictFinalizers: false,
});
