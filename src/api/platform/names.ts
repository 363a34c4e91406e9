/** Names as Kubernetes wants them, for `pattern`. */
export const labelPattern = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
export const subdomainPattern = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';
