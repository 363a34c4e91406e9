import { expect, test } from 'vitest';
import { listAt, textAt, type JsonObject } from '#base/json.ts';
import { neededReferences, referenceKey } from './references.ts';
import { renderInstance } from './render-instance.ts';
import { kuardRegistration, mustRead, environment } from './testing/kuard.ts';

const common = [
  { name: 'NAMESPACE', valueFrom: { field: { fieldPath: 'metadata.namespace' } } },
  { name: 'K_METRICS_CONFIG', value: '{}' },
  { name: 'K_LOGGING_CONFIG', value: '{}' },
];
const sink = { path: 'spec.sink', name: 'K_SINK', valueFrom: { builtInFunc: { name: 'resolveAddress' } } };
const secret = (path: string, name: string) => ({
  path,
  name,
  valueFrom: { secretPath: { name: `${path}.valueFromSecret.name`, key: `${path}.valueFromSecret.key` } },
});
const renamed = (path: string, name: string) => ({ path, name });
const secretValue = { valueFromSecret: { name: 'creds', key: 'password' } };
const toBroker = { ref: { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: 'default' } };
const broker = { status: { address: { url: 'http://broker-ingress.knative-eventing/default' } } };

/** `NAME=value`, `NAME<-secret/key` or `NAME<-field`. */
function variables(name: string, parameterConfiguration: JsonObject, spec: JsonObject): readonly string[] {
  const workload = { formFactor: { deployment: { replicas: 1 } }, parameterConfiguration };
  const registration = mustRead(kuardRegistration({ name, workload }));
  const instance = {
    apiVersion: 'sources.triggermesh.io/v1alpha1',
    kind: 'Source',
    metadata: { name: 'sample', namespace: 'default', uid: 'u' },
    spec,
  };
  const references = new Map(
    neededReferences(registration, instance, environment).map((each) => [referenceKey(each), broker]),
  );
  const rendered = renderInstance({ registration, instance, environment, references });
  if (rendered.type === 'failed') throw new Error(rendered.message);
  const [container] = listAt(rendered.children.deployment, 'spec', 'template', 'spec', 'containers');
  return listAt(container, 'env').map((each) => {
    const [variable, value] = [textAt(each, 'name'), textAt(each, 'value')];
    const key = `${textAt(each, 'valueFrom', 'secretKeyRef', 'name')}/${textAt(each, 'valueFrom', 'secretKeyRef', 'key')}`;
    const field = textAt(each, 'valueFrom', 'fieldRef', 'fieldPath');
    return value === undefined ? `${variable}<-${field ?? key}` : `${variable}=${value}`;
  });
}

test('webhooksource', () => {
  const configuration = {
    global: { defaultPrefix: 'WEBHOOK_' },
    add: { toEnv: common },
    fromSpec: {
      toEnv: [
        renamed('spec.eventType', 'WEBHOOK_EVENT_TYPE'),
        renamed('spec.eventSource', 'WEBHOOK_EVENT_SOURCE'),
        renamed('spec.basicAuthUsername', 'WEBHOOK_BASICAUTH_USERNAME'),
        secret('spec.basicAuthPassword', 'WEBHOOK_BASICAUTH_PASSWORD'),
        renamed('spec.eventExtensionAttributes.from', 'WEBHOOK_EVENT_EXTENSION_ATTRIBUTES_FROM'),
        renamed('spec.corsAllowOrigin', 'WEBHOOK_CORS_ALLOW_ORIGIN'),
        sink,
      ],
    },
  };
  const spec = {
    eventType: 'sample',
    basicAuthUsername: 'customuser',
    basicAuthPassword: secretValue,
    eventExtensionAttributes: { from: ['path', 'queries'] },
    other: true,
    sink: toBroker,
  };
  expect(variables('webhooksource', configuration, spec)).toEqual([
    'K_LOGGING_CONFIG={}',
    'K_METRICS_CONFIG={}',
    'K_SINK=http://broker-ingress.knative-eventing/default',
    'NAMESPACE<-metadata.namespace',
    'WEBHOOK_BASICAUTH_PASSWORD<-creds/password',
    'WEBHOOK_BASICAUTH_USERNAME=customuser',
    'WEBHOOK_EVENT_EXTENSION_ATTRIBUTES_FROM=path,queries',
    'WEBHOOK_EVENT_TYPE=sample',
    'WEBHOOK_OTHER=true',
  ]);
});

test('kafkasource', () => {
  const configuration = {
    add: { toEnv: common },
    fromSpec: {
      toEnv: [
        renamed('spec.bootstrapServers', 'BOOTSTRAP_SERVERS'),
        renamed('spec.groupID', 'GROUP_ID'),
        renamed('spec.auth.saslEnable', 'SASL_ENABLE'),
        renamed('spec.auth.securityMechanism', 'SECURITY_MECHANISMS'),
        renamed('spec.auth.tls.skipVerify', 'SKIP_VERIFY'),
        secret('spec.auth.tls.ca', 'CA'),
        renamed('spec.auth.username', 'USERNAME'),
        secret('spec.auth.password', 'PASSWORD'),
        sink,
      ],
    },
  };
  const spec = {
    bootstrapServers: ['kafka-1:9092', 'kafka-2:9092'],
    topic: 'sample',
    groupID: 'g',
    auth: {
      saslEnable: true,
      securityMechanism: 'PLAIN',
      tls: { skipVerify: false, ca: secretValue },
      username: 'admin',
      password: secretValue,
    },
    sink: toBroker,
  };
  expect(variables('kafkasource', configuration, spec)).toEqual([
    'BOOTSTRAP_SERVERS=kafka-1:9092,kafka-2:9092',
    'CA<-creds/password',
    'GROUP_ID=g',
    'K_LOGGING_CONFIG={}',
    'K_METRICS_CONFIG={}',
    'K_SINK=http://broker-ingress.knative-eventing/default',
    'NAMESPACE<-metadata.namespace',
    'PASSWORD<-creds/password',
    'SASL_ENABLE=true',
    'SECURITY_MECHANISMS=PLAIN',
    'SKIP_VERIFY=false',
    'TOPIC=sample',
    'USERNAME=admin',
  ]);
});

test('httptarget, with the default in its older spelling', () => {
  const configuration = {
    global: { defaultPrefix: 'HTTP_' },
    fromSpec: {
      toEnv: [
        renamed('spec.response.eventType', 'HTTP_EVENT_TYPE'),
        { path: 'spec.response.eventSource', name: 'HTTP_EVENT_SOURCE', defaultValue: 'httptarget' },
        renamed('spec.endpoint', 'HTTP_URL'),
        renamed('spec.headers', 'HTTP_HEADERS'),
      ],
    },
  };
  const spec = {
    response: { eventType: 'e' },
    endpoint: 'https://x',
    method: 'POST',
    headers: { b: '2', a: '1' },
  };
  expect(variables('httptarget', configuration, spec)).toEqual([
    'HTTP_EVENT_SOURCE=httptarget',
    'HTTP_EVENT_TYPE=e',
    'HTTP_HEADERS={"a":"1","b":"2"}',
    'HTTP_HEADERS_A=1',
    'HTTP_HEADERS_B=2',
    'HTTP_METHOD=POST',
    'HTTP_URL=https://x',
  ]);
});
