import type { TypePackage } from './type-package.ts';

/** Types that Kubernetes keeps outside its API groups; every one has a JSON form of its own. */
export const machinery: readonly TypePackage[] = [
  {
    name: 'io.k8s.apimachinery.pkg.api.resource',
    alias: 'resource',
    group: undefined,
    version: 'resource',
    lines: '\nQuantity @quantity\n',
  },
  {
    name: 'io.k8s.apimachinery.pkg.util.intstr',
    alias: 'intstr',
    group: undefined,
    version: 'intstr',
    lines: '\nIntOrString @intOrString\n',
  },
  {
    name: 'io.k8s.apimachinery.pkg.runtime',
    alias: 'runtime',
    group: undefined,
    version: 'runtime',
    lines: '\nRawExtension @raw\n',
  },
];
