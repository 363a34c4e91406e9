import type { TypePackage } from './type-package.ts';

/** Every type of certificates.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const certificatesV1: TypePackage = {
  name: 'io.k8s.api.certificates.v1',
  alias: 'certificates',
  group: 'certificates.k8s.io',
  version: 'v1',
  lines: `
CertificateSigningRequest kind
 metadata 1 meta.ObjectMeta?
 spec 2 CertificateSigningRequestSpec
 status 3 CertificateSigningRequestStatus?
CertificateSigningRequestCondition
 type 1 string<RequestConditionType>
 status 6 string<ConditionStatus>
 reason 2 string?
 message 3 string?
 lastUpdateTime 4 meta.Time?
 lastTransitionTime 5 meta.Time?
CertificateSigningRequestList kind
 metadata 1 meta.ListMeta?
 items 2 []CertificateSigningRequest
CertificateSigningRequestSpec
 request 1 bytes =atomic
 signerName 7 string
 expirationSeconds 8 *int32?
 usages 5 []string?<KeyUsage> =atomic
 username 2 string?
 uid 3 string?
 groups 4 []string? =atomic
 extra 6 {}ExtraValue?
CertificateSigningRequestStatus
 conditions 1 []CertificateSigningRequestCondition? =map:type
 certificate 2 bytes? =atomic
ExtraValue @list
`,
};
