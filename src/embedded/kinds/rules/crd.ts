import { defaultCrd } from '#schema/crd/default-crd.ts';
import { prepareCrdCreate, prepareCrdStatusUpdate, prepareCrdUpdate } from '#schema/crd/prepare-crd.ts';
import { validateCrd, validateCrdStatusUpdate, validateCrdUpdate } from '#schema/crd/validate-crd.ts';
import { kindRules, type KindRules } from '#embedded/kinds/rules/kind-rules.ts';

/** The rules of CustomResourceDefinition itself. */
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
