import { admissionregistrationV1 } from './admissionregistration-v1.ts';
import { apiextensionsV1 } from './apiextensions-v1.ts';
import { appsV1 } from './apps-v1.ts';
import { authenticationV1 } from './authentication-v1.ts';
import { authorizationV1 } from './authorization-v1.ts';
import { autoscalingV1 } from './autoscaling-v1.ts';
import { autoscalingV2 } from './autoscaling-v2.ts';
import { batchV1 } from './batch-v1.ts';
import { certificatesV1 } from './certificates-v1.ts';
import { coordinationV1 } from './coordination-v1.ts';
import { coreV1 } from './core-v1.ts';
import { discoveryV1 } from './discovery-v1.ts';
import { eventsV1 } from './events-v1.ts';
import { machinery } from './machinery.ts';
import { metaV1 } from './meta-v1.ts';
import { networkingV1 } from './networking-v1.ts';
import { nodeV1 } from './node-v1.ts';
import { policyV1 } from './policy-v1.ts';
import { rbacV1 } from './rbac-v1.ts';
import { schedulingV1 } from './scheduling-v1.ts';
import { storageV1 } from './storage-v1.ts';
import type { TypePackage } from './type-package.ts';

export const typePackages: readonly TypePackage[] = [
  coreV1,
  appsV1,
  batchV1,
  autoscalingV1,
  autoscalingV2,
  policyV1,
  rbacV1,
  networkingV1,
  coordinationV1,
  discoveryV1,
  eventsV1,
  storageV1,
  schedulingV1,
  nodeV1,
  certificatesV1,
  authenticationV1,
  authorizationV1,
  admissionregistrationV1,
  apiextensionsV1,
  metaV1,
  ...machinery,
];
