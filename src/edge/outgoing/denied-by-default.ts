export const loopback = 'a loopback address';

/** Addresses that hooks may not call, unless the administrator allows it. */
export const deniedRanges: readonly { readonly what: string; readonly ranges: readonly string[] }[] = [
  { what: loopback, ranges: ['127.0.0.0/8', '::1'] },
  { what: 'an unspecified address', ranges: ['0.0.0.0/8', '::'] },
  {
    // Cloud metadata services, which return credentials of the machine. First, for the more specific name.
    what: 'a cloud metadata address',
    ranges: [
      // AWS, GCP, Azure and most others; AWS for containers and pods; AWS, GCP, Oracle and Scaleway over IPv6.
      '169.254.169.254',
      '169.254.170.2',
      '169.254.170.23',
      'fd00:ec2::/64',
      'fd20:ce::254',
      'fd00:c1::a9fe:a9fe',
      'fd00:42::42',
      // Alibaba, Oracle, Azure's host agent.
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
    ],
  },
  { what: 'a link-local address', ranges: ['169.254.0.0/16', 'fe80::/10'] },
  { what: 'a multicast address', ranges: ['224.0.0.0/4', 'ff00::/8'] },
  { what: 'a broadcast or reserved address', ranges: ['240.0.0.0/4'] },
  // The rest of IANA's registries of special-purpose addresses that no service can be at. Private and shared ranges may
  // be called, since clusters live there; so may those for documentation and benchmarks, which lead nowhere by themselves.
  {
    what: 'an address of IETF protocols',
    // Assignments with Teredo, ORCHID and benchmarks among them; relays of 6to4.
    ranges: ['192.0.0.0/24', '192.88.99.0/24', '2001::/23'],
  },
  { what: 'an address of a local NAT64', ranges: ['64:ff9b:1::/48'] },
  { what: 'a discard-only or dummy address', ranges: ['100::/64', '100:0:0:1::/64'] },
  { what: 'an address for segment routing', ranges: ['5f00::/16'] },
];

/** Names under which clouds offer the same. */
export const metadataNames: readonly string[] = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.tencentyun.com',
];
