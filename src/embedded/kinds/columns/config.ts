import { countAt, lengthCell, textCell } from './cells.ts';
import { withNameAndAge, textColumn, type Column } from './column.ts';

export const namespaceColumns: readonly Column[] = withNameAndAge(
  textColumn('Status', 'The status of the namespace', textCell('status', 'phase')),
);

export const configMapColumns: readonly Column[] = withNameAndAge(
  textColumn(
    'Data',
    "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.",
    (it) => countAt(it, 'data') + countAt(it, 'binaryData'),
  ),
);

export const secretColumns: readonly Column[] = withNameAndAge(
  textColumn(
    'Type',
    'Used to facilitate programmatic handling of secret data. More info: https://kubernetes.io/docs/concepts/configuration/secret/#secret-types',
    textCell('type'),
  ),
  textColumn(
    'Data',
    "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. The serialized form of the secret data is a base64 encoded string, representing the arbitrary (possibly non-string) data value here. Described in https://tools.ietf.org/html/rfc4648#section-4",
    (it) => countAt(it, 'data'),
  ),
);

export const serviceAccountColumns: readonly Column[] = withNameAndAge(
  textColumn(
    'Secrets',
    'Secrets is a list of the secrets in the same namespace that pods running using this ServiceAccount are allowed to use. Pods are only limited to this list if this service account has a "kubernetes.io/enforce-mountable-secrets" annotation set to "true". The "kubernetes.io/enforce-mountable-secrets" annotation is deprecated since v1.32. Prefer separate namespaces to isolate access to mounted secrets. This field should not be used to find auto-generated service account token secrets for use outside of pods. Instead, tokens can be requested directly using the TokenRequest API, or service account token secrets can be manually created. More info: https://kubernetes.io/docs/concepts/configuration/secret',
    lengthCell('secrets'),
  ),
);

export const leaseColumns: readonly Column[] = withNameAndAge(
  textColumn('Holder', 'Identity of the current holder of the lease.', textCell('spec', 'holderIdentity')),
);

export const runtimeClassColumns: readonly Column[] = withNameAndAge(
  textColumn('Handler', 'What runs the containers of this class.', textCell('handler')),
);
