import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { JsonObject } from '#src/operation/json.ts';
import { Refusal } from '../../social/refusal.ts';

/** What a server answers instead of doing what it was asked, in the words of the protocol. */
export class XrpcRefusal extends Refusal {
  override readonly name = 'XrpcRefusal';
}

/** The refusal of a request for which nothing is left. */
export class RateLimited extends XrpcRefusal {
  readonly headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>>) {
    super(429, 'RateLimitExceeded', 'Rate Limit Exceeded');
    this.headers = headers;
  }
}

/** A refusal that says more than why. */
export class Answered extends XrpcRefusal {
  readonly body: JsonObject & { readonly error: string; readonly message: string };

  constructor(status: ContentfulStatusCode, body: Answered['body']) {
    super(status, body.error, body.message);
    this.body = body;
  }
}

export const invalidRequest = (message: string, error = 'InvalidRequest'): XrpcRefusal => new XrpcRefusal(400, error, message);

export const authRequired = (message = 'Authentication Required', error = 'AuthenticationRequired'): XrpcRefusal =>
  new XrpcRefusal(401, error, message);

/** How the platform words a refusal by status alone. */
export function wordedRefusal(status: number): { readonly error: string; readonly message: string } {
  switch (status) {
    case 400:
      return { error: 'InvalidRequest', message: 'Invalid Request' };
    case 401:
      return { error: 'AuthenticationRequired', message: 'Authentication Required' };
    case 403:
      return { error: 'Forbidden', message: 'Forbidden' };
    case 404:
      return { error: 'XRPCNotSupported', message: 'XRPCNotSupported' };
    case 413:
      return { error: 'PayloadTooLarge', message: 'request entity too large' };
    case 429:
      return { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' };
    case 501:
      return { error: 'MethodNotImplemented', message: 'Method Not Implemented' };
    case 502:
      return { error: 'UpstreamFailure', message: 'Upstream service unreachable' };
    case 503:
      return { error: 'NotEnoughResources', message: 'Not Enough Resources' };
    default:
      return { error: 'InternalServerError', message: 'Internal Server Error' };
  }
}
