import type { Json, JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

export type PodOptions = {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: JsonObject;
  readonly container?: JsonObject;
  readonly meta?: JsonObject;
};

/** A small pod bound to node-1, with what a server would have given it. */
export function pod({ annotations = {}, spec = {}, container = {}, meta = {} }: PodOptions = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      namespace: 'ns',
      uid: 'uid-1',
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, text]) => [`sim.boathook.dev/${key}`, text]),
      ),
      ...meta,
    },
    spec: {
      nodeName: 'node-1',
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      containers: [{ name: 'c', image: 'app:1', imagePullPolicy: 'IfNotPresent', ...container }],
      ...spec,
    },
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  };
}

export const named = (name: string, more: JsonObject = {}): Json => ({ name, image: 'app:1', ...more });
