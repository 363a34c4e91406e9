/** Names as Kubernetes requires them, for `pattern`. */
export const labelPattern = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
export const subdomainPattern = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';
export const labelValuePattern = '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$';
/** A key of labels and taints; its parts may each be as long as they are elsewhere. */
export const qualifiedPattern = `^(${subdomainPattern.slice(1, -1)}/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`;
