import { noRule, type PolicyRule } from './policy-rule.ts';

const words = (text: string): readonly string[] => text.split(' ');

/** A rule on resources of one group; lists are separated by spaces. */
export const resources = (verbs: string, apiGroup: string, names: string): PolicyRule => ({
  ...noRule,
  verbs: words(verbs),
  apiGroups: [apiGroup],
  resources: words(names),
});

export const paths = (verbs: string, urls: string): PolicyRule => ({
  ...noRule,
  verbs: words(verbs),
  nonResourceURLs: words(urls),
});
