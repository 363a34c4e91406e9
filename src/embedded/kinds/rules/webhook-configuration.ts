import type { JsonObject } from '#base/json.ts';
import { editField, editItems, withMissing } from '#base/json-edit.ts';
import { kindRules, type KindRules } from './kind-rules.ts';

const common: JsonObject = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

const withScope = (rule: JsonObject): JsonObject => withMissing(rule, { scope: '*' });
const withPort = (service: JsonObject): JsonObject => withMissing(service, { port: 443 });

const defaultWebhook =
  (extra: JsonObject) =>
  (webhook: JsonObject): JsonObject => {
    const filled = editItems(withMissing(withMissing(webhook, common), extra), 'rules', withScope);
    return editField(filled, 'clientConfig', (config) => editField(config, 'service', withPort));
  };

const configuration = (extra: JsonObject): KindRules => {
  const edit = defaultWebhook(extra);
  return kindRules({
    defaults: (object) => editItems(object, 'webhooks', edit),
    generation: 'content',
    allowUnconditionalUpdate: false,
  });
};

export const mutatingWebhookRules: KindRules = configuration({ reinvocationPolicy: 'Never' });
export const validatingWebhookRules: KindRules = configuration({});
