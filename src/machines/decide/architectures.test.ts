import { expect, test } from 'vitest';
import { archOfKernel } from './architectures.ts';

test.for([
  ['x86_64', 'amd64'],
  ['aarch64', 'arm64'],
  ['armv7l', 'arm'],
  ['i686', '386'],
  ['loongarch64', 'loong64'],
  ['riscv64', 'riscv64'],
  ['s390x', 's390x'],
  ['constructor', 'constructor'],
  ['', 'amd64'],
] as const)('a kernel of %j: %s', ([kernel, arch]) => {
  expect(archOfKernel(kernel)).toBe(arch);
});
