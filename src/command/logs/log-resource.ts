import type { ApiRequest, ApiResponse } from '#kube/http.ts';
import type { Resource } from '#kube/resource.ts';

/** A request for the log of one object, by a reader who may have it. */
export type ObjectLogRequest = Pick<ApiRequest, 'headers' | 'signal'> & {
  /** The name of the object. */
  readonly name: string;
  readonly query: URLSearchParams;
};

/** A resource whose objects have logs. Refusals are thrown as `ApiError`. */
export type LogResource = {
  readonly resource: Resource;
  serve(request: ObjectLogRequest): Promise<ApiResponse> | ApiResponse;
};

/** How a resource is called in messages and in the published endpoint: `clusters.platform.tkestack.io`. */
export const resourceText = ({ group, plural }: Pick<Resource, 'group' | 'plural'>): string =>
  `${plural}.${group}`;
