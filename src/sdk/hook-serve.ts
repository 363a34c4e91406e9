import type { ReconcileReply, ReconcileRequest } from '#registrations/kinds/hook-protocol.ts';
import { requestIdHeader } from '#registrations/kinds/hook-headers.ts';
import type { HookPhase } from '#registrations/kinds/hook.ts';
import { readReply } from '#registrations/kinds/read-reply.ts';
import type { JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { BodyTooLarge, type ApiRequest, type ApiResponse, type Serve } from '#kube/http.ts';
import { HookError } from './hook-error.ts';
import { logBug } from './hook-log.ts';
import type { HookClock, HookDefinition, HookHandler, PayloadForm } from './hook-definition.ts';
import { readRequest } from './read.ts';
import { signatureCheck, type SignatureCheck } from './signature.ts';

type Served = HookDefinition<PayloadForm> & {
  readonly clock: HookClock;
  readonly onError: NonNullable<HookDefinition['onError']>;
};

const largestRequest = 8 * 1024 * 1024;

/** The hook as a function from request to response. */
export function hookServe(hook: Served): Serve {
  const { secret, ...rules } = hook;
  const check = secret === undefined ? undefined : signatureCheck({ secret, ...rules });
  return async (request) => {
    if (request.method === 'GET' && request.path === '/healthz') return text(200, 'ok');
    if (request.method !== 'POST') return notAllowed(request.method);
    const body = await bodyOf(request);
    if (body === undefined) return problem(413, `the request is longer than ${largestRequest} bytes`);
    const refusal = await refusalOf(check, request, body);
    if (refusal !== undefined) return refusal;
    const read = readRequest(body, hook.payload);
    if (typeof read === 'string') return problem(400, read);
    return answer(hook, read, request);
  };
}

async function refusalOf(
  check: SignatureCheck | undefined,
  { headers }: ApiRequest,
  body: string,
): Promise<ApiResponse | undefined> {
  try {
    const forged = await check?.(headers, body);
    return forged === undefined ? undefined : problem(401, forged);
  } catch (error) {
    // Without the replay store a replay cannot be detected, so the request is refused.
    logBug(error);
    const refused = problem(503, 'the hook cannot check whether the request is a replay');
    return { ...refused, headers: { ...refused.headers, 'retry-after': '1' } };
  }
}

async function bodyOf(request: ApiRequest): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await request.body(largestRequest));
  } catch (error) {
    if (error instanceof BodyTooLarge) return undefined;
    throw error;
  }
}

async function answer(hook: Served, asked: ReconcileRequest, request: ApiRequest): Promise<ApiResponse> {
  const handle = handlerOf(hook, asked.phase);
  if (handle === undefined) return text(204, '');
  const context = { signal: request.signal, requestId: request.headers[requestIdHeader] ?? '' };
  try {
    const reply = await handle(asked as never, context);
    return reply === undefined ? text(204, '') : checked(hook, asked, reply);
  } catch (error) {
    if (error instanceof HookError) {
      const { message, permanent, halt } = error;
      return respond(200, { error: { message, permanent, halt } });
    }
    hook.onError(error, asked);
    // The cause may be confidential: it goes to the log of the hook, not into events.
    return problem(500, `the hook failed in ${asked.phase}`);
  }
}

function handlerOf(hook: HookDefinition<PayloadForm>, phase: HookPhase): HookHandler<never> | undefined {
  switch (phase) {
    case 'pre-reconcile':
      return hook.preReconcile;
    case 'post-reconcile':
      return hook.postReconcile;
    case 'finalize':
      return hook.finalize;
  }
}

/** Reports an invalid reply here, where the author of the hook sees it. */
function checked(hook: Served, asked: ReconcileRequest, reply: ReconcileReply): ApiResponse {
  const { phase } = asked;
  const body = printJson(reply);
  const read = readReply(body, { phase, strict: true });
  const wrong = read.type === 'malformed' ? read.message : sizeProblem(body);
  if (wrong === undefined) return respond(200, reply);
  const message = `the reply to ${phase} is wrong: ${wrong}`;
  hook.onError(new TypeError(message), asked);
  return problem(500, message);
}

/** The maximum of maxReplyBytes. */
const largestReply = 4 * 1024 * 1024;

const sizeProblem = (body: string): string | undefined =>
  body.length > largestReply ? `it is longer than ${largestReply} bytes` : undefined;

const respond = (status: number, body: JsonObject): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: { type: 'text', text: printJson(body) },
});

const notAllowed = (method: string): ApiResponse => {
  const { headers, ...rest } = problem(405, `use POST instead of ${method}`);
  return { ...rest, headers: { ...headers, allow: 'POST' } };
};

const problem = (status: number, message: string): ApiResponse => respond(status, { error: { message } });

const text = (status: number, body: string): ApiResponse => ({
  status,
  headers: body === '' ? {} : { 'content-type': 'text/plain; charset=utf-8' },
  body: { type: 'text', text: body },
});
