import type { JsonObject } from '#base/json.ts';
import { editField } from '#base/json-edit.ts';
import { textField } from './field-values.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { checkService, checkServiceStatus } from './service-checks.ts';
import { defaultService } from './service-defaults.ts';
import { checkServiceUpdate, prepareServiceUpdate, syncNewAddresses } from './service-update.ts';
import { statusRules } from './status-rules.ts';

const emptyStatus: JsonObject = { loadBalancer: {} };
const status = statusRules(() => emptyStatus);

export const serviceRules: KindRules = kindRules({
  ...status,
  defaults: defaultService,
  prepareCreate: (service) => editField({ ...service, status: emptyStatus }, 'spec', syncNewAddresses),
  prepareUpdate: prepareServiceUpdate,
  validateCreate: checkService,
  validateUpdate: (service, old) =>
    service['spec'] === old['spec'] ? [] : [...checkServiceUpdate(service, old), ...checkService(service)],
  validateStatusUpdate: checkServiceStatus,
  nameRule: 'label1035',
  allowCreateOnUpdate: true,
  metaOnUpdate: 'create-and-update',
  selectableFields: {
    'spec.clusterIP': textField('spec', 'clusterIP'),
    'spec.type': textField('spec', 'type'),
  },
});
