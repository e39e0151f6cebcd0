import type { JsonObject } from '#src/clients/operation/json.ts';

// X still uses the addresses of its former name.
const TYPES = 'https://api.twitter.com/2/problems';

/** An error answer of X. */
export class XProblem extends Error {
  override readonly name = 'XProblem';
  readonly status: number;
  readonly body: JsonObject;

  constructor(status: number, body: JsonObject) {
    super(typeof body['detail'] === 'string' ? body['detail'] : `status ${status}`);
    this.status = status;
    this.body = body;
  }
}

function plain(status: number, title: string, detail = title): XProblem {
  return new XProblem(status, { title, type: 'about:blank', status, detail });
}

export const unauthorized = (): XProblem => plain(401, 'Unauthorized');
export const forbidden = (detail = 'Forbidden'): XProblem => plain(403, 'Forbidden', detail);
export const notFound = (): XProblem => plain(404, 'Not Found');
export const tooManyRequests = (): XProblem => plain(429, 'Too Many Requests');

/** An app has one connection to the filtered stream. */
export function tooManyStreams(): XProblem {
  return new XProblem(429, {
    title: 'ConnectionException',
    detail: 'This stream is currently at the maximum allowed connection limit.',
    connection_issue: 'TooManyConnections',
    type: `${TYPES}/streaming-connection`,
  });
}

/** Parameters or parts of the body that X does not accept. */
export function invalid(...errors: readonly { readonly parameters?: JsonObject; readonly message: string }[]): XProblem {
  return new XProblem(400, {
    errors: errors.map(({ parameters = {}, message }) => ({ parameters, message })),
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: `${TYPES}/invalid-request`,
  });
}

/** A value in the query that X does not accept. */
export function invalidParameter(name: string, value: string, reason: string): XProblem {
  return invalid({ parameters: { [name]: [value] }, message: `The \`${name}\` query parameter value [${value}] ${reason}` });
}

/** A kind of token that the endpoint does not accept. */
export function unsupportedAuthentication(used: string, supported: readonly string[]): XProblem {
  return new XProblem(403, {
    title: 'Unsupported Authentication',
    detail: `Authenticating with ${used} is forbidden for this endpoint.  Supported authentication types are [${supported.join(', ')}].`,
    type: `${TYPES}/unsupported-authentication`,
    status: 403,
  });
}

/** An endpoint that the plan of the app does not include. */
export function clientForbidden(clientId: string): XProblem {
  return new XProblem(403, {
    client_id: clientId,
    detail: 'This endpoint is not included in the access level of your App. You need Enterprise access to use it.',
    title: 'Client Forbidden',
    required_enrollment: 'Appropriate Level of API Access',
    reason: 'client-not-enrolled',
    type: `${TYPES}/client-forbidden`,
  });
}

/** The app has read all posts that its month includes. */
export function usageCapped(accountId: string): XProblem {
  return new XProblem(429, {
    account_id: Number(accountId),
    title: 'UsageCapExceeded',
    period: 'Monthly',
    scope: 'Product',
    detail: 'Usage cap exceeded: Monthly product cap',
    type: `${TYPES}/usage-capped`,
  });
}

/** The app has no credits. */
export function creditsDepleted(accountId: string): XProblem {
  return new XProblem(402, {
    account_id: Number(accountId),
    title: 'CreditsDepleted',
    detail: `Your enrolled account [${accountId}] does not have any credits to fulfill this request.`,
    type: `${TYPES}/credits`,
  });
}

/** A resource that a request names. */
export interface NamedResource {
  /** Such as `tweet`. */
  readonly type: string;
  readonly parameter: string;
  readonly value: string;
}

function partial({ type, parameter, value }: NamedResource, title: string, detail: string, problem: string): JsonObject {
  return { value, resource_id: value, resource_type: type, parameter, title, detail, type: `${TYPES}/${problem}` };
}

/** An item of `errors`: the resource does not exist. */
export const missing = (named: NamedResource): JsonObject =>
  partial(named, 'Not Found Error', `Could not find ${named.type} with ${named.parameter}: [${named.value}].`, 'resource-not-found');

/** An item of `errors`: the viewer may not see the resource. */
export const notAuthorized = (named: NamedResource): JsonObject =>
  partial(
    named,
    'Authorization Error',
    `Sorry, you are not authorized to see the ${named.type} with ${named.parameter}: [${named.value}].`,
    'not-authorized-for-resource',
  );

/** An item of `errors`: X has suspended the account. */
export const suspended = (named: NamedResource): JsonObject =>
  partial(named, 'Forbidden', `User has been suspended: [${named.value}].`, 'resource-not-found');

/** The problem of a single resource that a write names. */
export const missingTarget = (named: NamedResource): XProblem => new XProblem(404, { ...missing(named), status: 404 });
