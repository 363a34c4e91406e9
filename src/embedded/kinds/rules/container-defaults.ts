import { isObject, textAt, type JsonObject } from '#base/json.ts';
import { editField, editItems, withField, withMissing } from '#base/json-edit.ts';
import { imageTag } from './image-tag.ts';

/** The defaults of a container. */
export function defaultContainer(container: JsonObject): JsonObject {
  let result = withMissing(container, containerDefaults);
  if (result['imagePullPolicy'] === undefined) {
    const tag = imageTag(textAt(result, 'image') ?? '');
    result = { ...result, imagePullPolicy: tag === 'latest' ? 'Always' : 'IfNotPresent' };
  }
  if (result['ports'] !== undefined) result = editItems(result, 'ports', defaultPort);
  if (result['env'] !== undefined) result = editItems(result, 'env', defaultEnv);
  for (const key of probes) {
    if (result[key] !== undefined) result = editField(result, key, defaultProbe);
  }
  return result['lifecycle'] === undefined ? result : editField(result, 'lifecycle', defaultLifecycle);
}

const containerDefaults: JsonObject = {
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};
const portDefaults: JsonObject = { protocol: 'TCP' };
const fieldRefDefaults: JsonObject = { apiVersion: 'v1' };
const resourceRefDefaults: JsonObject = { divisor: '0' };
const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const probeDefaults: JsonObject = {
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
};
const httpDefaults: JsonObject = { path: '/', scheme: 'HTTP' };
const grpcDefaults: JsonObject = { service: '' };

const defaultPort = (port: JsonObject): JsonObject => withMissing(port, portDefaults);

const defaultEnv = (env: JsonObject): JsonObject =>
  env['valueFrom'] === undefined ? env : editField(env, 'valueFrom', defaultFieldSource);

/** A reference to a field or a resource of the pod, in an environment variable or a downward API file. */
export function defaultFieldSource(source: JsonObject): JsonObject {
  const byField = editField(source, 'fieldRef', (ref) => withMissing(ref, fieldRefDefaults));
  return editField(byField, 'resourceFieldRef', (ref) => withMissing(ref, resourceRefDefaults));
}

function defaultProbe(probe: JsonObject): JsonObject {
  const numbers = withMissing(probe, probeDefaults);
  const http = editField(numbers, 'httpGet', defaultHttp);
  return editField(http, 'grpc', (grpc) => withMissing(grpc, grpcDefaults));
}

const defaultHttp = (http: JsonObject): JsonObject => withMissing(http, httpDefaults);

function defaultLifecycle(lifecycle: JsonObject): JsonObject {
  const edit = (handler: JsonObject): JsonObject => editField(handler, 'httpGet', defaultHttp);
  return editField(editField(lifecycle, 'postStart', edit), 'preStop', edit);
}

/** A pod's container, unlike a template's, requests what it is limited to. */
export function requestLimits(container: JsonObject): JsonObject {
  const resources = container['resources'];
  if (!isObject(resources) || !isObject(resources['limits'])) return container;
  const requests = isObject(resources['requests']) ? resources['requests'] : {};
  const filled = withMissing(requests, resources['limits']);
  return filled === requests
    ? container
    : withField(container, 'resources', { ...resources, requests: filled });
}

/** A pod in the host network uses its container ports as host ports. */
export function exposeHostPorts(container: JsonObject): JsonObject {
  return editItems(container, 'ports', (port) =>
    port['hostPort'] === undefined && port['containerPort'] !== undefined
      ? { ...port, hostPort: port['containerPort'] }
      : port,
  );
}
