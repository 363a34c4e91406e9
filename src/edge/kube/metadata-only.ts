const form = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;

/** What to accept where only metadata is needed. A server that cannot leave out the rest sends whole objects. */
export const metadataOnly = form('PartialObjectMetadata');
export const metadataList = form('PartialObjectMetadataList');
