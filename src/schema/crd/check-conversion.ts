import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { forbidden, notSupported, required, type FieldError } from '#kube/field-error.ts';
import { checkLabel1035 } from '#kube/names.ts';
import { dumpTexts, invalidAt, invalidDump } from './crd-error.ts';

const path = 'spec.conversion';

/** How versions are converted into each other. */
export function checkConversion(conversion: Json | undefined): readonly FieldError[] {
  if (!isObject(conversion)) return [];
  const strategy = textAt(conversion, 'strategy') ?? '';
  return [
    ...checkStrategy(strategy),
    ...(strategy === 'Webhook' ? checkWebhook(conversion) : checkNoWebhook(conversion)),
  ];
}

function checkStrategy(strategy: string): readonly FieldError[] {
  if (strategy === '') return [required(`${path}.strategy`)];
  if (strategy === 'None' || strategy === 'Webhook') return [];
  return [notSupported(`${path}.strategy`, strategy, ['None', 'Webhook'])];
}

function checkWebhook(conversion: JsonObject): readonly FieldError[] {
  const field = `${path}.webhookClientConfig`;
  const client = objectAt(conversion, 'webhook', 'clientConfig');
  const versions = checkReviewVersions(listAt(conversion, 'webhook', 'conversionReviewVersions'));
  if (client === undefined) return [...versions, required(field, 'required when strategy is set to Webhook')];
  const url = textAt(client, 'url');
  const service = objectAt(client, 'service');
  if ((url === undefined) === (service === undefined)) {
    return [required(field, 'exactly one of url or service is required'), ...versions];
  }
  return [
    ...(url === undefined ? checkService(service ?? {}, `${field}.service`) : checkUrl(url, `${field}.url`)),
    ...versions,
  ];
}

function checkUrl(url: string, field: string): readonly FieldError[] {
  const form = '; desired format: https://host[/path]';
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/.exec(url);
  if (match === null) return [required(field, `url must be a valid URL${form}`)];
  const [, scheme = '', host = '', , query = '', fragment = ''] = match;
  const errors: FieldError[] = [];
  if (scheme !== 'https') {
    errors.push(invalidAt(field, scheme, `'https' is the only allowed URL scheme${form}`));
  }
  if (host === '') errors.push(invalidAt(field, host, `host must be specified${form}`));
  if (host.includes('@')) errors.push(invalidAt(field, host, 'user information is not permitted in the URL'));
  if (fragment.length > 1)
    errors.push(invalidAt(field, fragment.slice(1), 'fragments are not permitted in the URL'));
  if (query.length > 1)
    errors.push(invalidAt(field, query.slice(1), 'query parameters are not permitted in the URL'));
  return errors;
}

function checkService(service: JsonObject, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if ((textAt(service, 'name') ?? '') === '')
    errors.push(required(`${field}.name`, 'service name is required'));
  if ((textAt(service, 'namespace') ?? '') === '') {
    errors.push(required(`${field}.namespace`, 'service namespace is required'));
  }
  const port = service['port'];
  if (typeof port !== 'number' || port < 1 || port > 65_535) {
    errors.push(
      invalidAt(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'),
    );
  }
  const at = textAt(service, 'path') ?? '';
  if (at !== '' && !at.startsWith('/')) errors.push(invalidAt(`${field}.path`, at, "must start with a '/'"));
  return errors;
}

function checkReviewVersions(versions: readonly Json[]): readonly FieldError[] {
  const field = `${path}.conversionReviewVersions`;
  if (versions.length === 0) return [required(field)];
  const errors = versions.flatMap((each, i) => {
    const repeated =
      versions.indexOf(each) < i ? [invalidAt(`${field}[${i}]`, each, 'duplicate version')] : [];
    const complaints = checkLabel1035(typeof each === 'string' ? each : '');
    return [...repeated, ...complaints.map((text) => invalidAt(`${field}[${i}]`, each, text))];
  });
  if (versions.includes('v1') || versions.includes('v1beta1')) return errors;
  return [...errors, invalidDump(field, dumpTexts(versions), 'must include at least one of v1, v1beta1')];
}

function checkNoWebhook(conversion: JsonObject): readonly FieldError[] {
  const why = 'should not be set when strategy is not set to Webhook';
  const errors: FieldError[] = [];
  if (objectAt(conversion, 'webhook', 'clientConfig') !== undefined) {
    errors.push(forbidden(`${path}.webhookClientConfig`, why));
  }
  if (listAt(conversion, 'webhook', 'conversionReviewVersions').length > 0) {
    errors.push(forbidden(`${path}.conversionReviewVersions`, why));
  }
  return errors;
}
