/** Architectures whose name in the kernel differs from the name in eggo, Go and Kubernetes. */
const words: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  armv6l: 'arm',
  armv7l: 'arm',
  armv8l: 'arm',
  i386: '386',
  i586: '386',
  i686: '386',
  loongarch64: 'loong64',
};

/** The architecture of a machine from `uname -m`; without it eggo's default. */
export const archOfKernel = (kernel: string): string =>
  kernel === '' ? 'amd64' : Object.hasOwn(words, kernel) ? (words[kernel] ?? kernel) : kernel;
