import type { ApiResponse } from '#kube/http.ts';
import { ApiError, statusOf } from '#kube/status.ts';

/** The response to a request that failed. The cause of a bug is only logged. */
export function statusAnswer(error: unknown): ApiResponse {
  const refusal = error instanceof ApiError ? error : bug;
  const retry = refusal.details?.retryAfterSeconds;
  return {
    status: refusal.code,
    headers: {
      'content-type': 'application/json',
      ...(retry === undefined ? {} : { 'retry-after': String(retry) }),
    },
    body: { type: 'text', text: JSON.stringify(statusOf(refusal)) },
  };
}

const bug = new ApiError({ code: 500, reason: 'InternalError', message: 'Internal error occurred' });
