import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { JsonObject } from '#src/operation/json.ts';
import { Refusal } from '../social/refusal.ts';

/** An error answer in the format of XRPC. */
export class XrpcRefusal extends Refusal {
  override readonly name = 'XrpcRefusal';
}

/** The refusal of a request beyond a rate limit. */
export class RateLimited extends XrpcRefusal {
  readonly headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>>) {
    super(429, 'RateLimitExceeded', 'Rate Limit Exceeded');
    this.headers = headers;
  }
}

/** A refusal whose body has more fields than the error and the message. */
export class DetailedRefusal extends XrpcRefusal {
  readonly body: JsonObject & { readonly error: string; readonly message: string };

  constructor(status: ContentfulStatusCode, body: DetailedRefusal['body']) {
    super(status, body.error, body.message);
    this.body = body;
  }
}

export const invalidRequest = (message: string, error = 'InvalidRequest'): XrpcRefusal => new XrpcRefusal(400, error, message);

export const authRequired = (message = 'Authentication Required', error = 'AuthenticationRequired'): XrpcRefusal =>
  new XrpcRefusal(401, error, message);

const BY_STATUS: Readonly<Record<number, readonly [string, string]>> = {
  400: ['InvalidRequest', 'Invalid Request'],
  401: ['AuthenticationRequired', 'Authentication Required'],
  403: ['Forbidden', 'Forbidden'],
  404: ['XRPCNotSupported', 'XRPCNotSupported'],
  413: ['PayloadTooLarge', 'request entity too large'],
  429: ['RateLimitExceeded', 'Rate Limit Exceeded'],
  501: ['MethodNotImplemented', 'Method Not Implemented'],
  502: ['UpstreamFailure', 'Upstream service unreachable'],
  503: ['NotEnoughResources', 'Not Enough Resources'],
};

/** The error and the message for a status. */
export function refusalBody(status: number): { readonly error: string; readonly message: string } {
  const [error, message] = BY_STATUS[status] ?? ['InternalServerError', 'Internal Server Error'];
  return { error, message };
}
