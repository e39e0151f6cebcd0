import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { Refusal } from '../social/refusal.ts';

/** An error answer in the format of XRPC. */
export class XrpcRefusal extends Refusal {
  override readonly name = 'XrpcRefusal';
  /** More fields of the body. */
  readonly details: JsonObject;

  constructor(status: ContentfulStatusCode, error: string, message: string, details: JsonObject = {}) {
    super(status, error, message);
    this.details = details;
  }

  /** As an answer. */
  toResponse(headers: Readonly<Record<string, string>> = {}): Response {
    return Response.json({ error: this.error, message: this.message, ...this.details }, { status: this.status, headers });
  }
}

export const invalidRequest = (message: string, error = 'InvalidRequest'): XrpcRefusal => new XrpcRefusal(400, error, message);

export const authRequired = (message = 'Authentication Required', error = 'AuthenticationRequired'): XrpcRefusal =>
  new XrpcRefusal(401, error, message);

export const takenDown = (): XrpcRefusal => authRequired('Account has been taken down', 'AccountTakedown');

const BY_STATUS: Readonly<Record<number, readonly [error: string, message: string]>> = {
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

/** The usual refusal for a status. */
export function refusalFor(status: number): XrpcRefusal {
  const [error, message] = BY_STATUS[status] ?? ['InternalServerError', 'Internal Server Error'];
  return new XrpcRefusal(status as ContentfulStatusCode, error, message); // errors have bodies
}
