import type { JsonObject } from '#src/operation/json.ts';

// X still answers with the addresses of its former name.
const TYPES = 'https://api.twitter.com/2/problems';
const BLANK = 'about:blank';
const DOCUMENTATION = 'https://developer.x.com/en/docs/projects/overview';

/** What X answers instead of doing what it was asked. */
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

/** A problem that the status alone tells. */
function plain(status: number, title: string, detail = title): XProblem {
  return new XProblem(status, { title, type: BLANK, status, detail });
}

export const unauthorized = (): XProblem => plain(401, 'Unauthorized');
export const forbidden = (detail = 'Forbidden'): XProblem => plain(403, 'Forbidden', detail);
export const notFound = (): XProblem => plain(404, 'Not Found');
export const tooManyRequests = (): XProblem => plain(429, 'Too Many Requests');

/** A parameter or a part of the body that X does not take; several where several are wrong. */
export function invalid(...faults: readonly { readonly parameters?: JsonObject; readonly message: string }[]): XProblem {
  return new XProblem(400, {
    errors: faults.map(({ parameters = {}, message }) => ({ parameters, message })),
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: `${TYPES}/invalid-request`,
  });
}

/** A value of the query that X does not take. */
export function invalidParameter(name: string, value: string, complaint: string): XProblem {
  return invalid({ parameters: { [name]: [value] }, message: `The \`${name}\` query parameter value [${value}] ${complaint}` });
}

/** A token of a kind that the endpoint does not take. */
export function unsupportedAuthentication(given: string, supported: readonly string[]): XProblem {
  return new XProblem(403, {
    title: 'Unsupported Authentication',
    detail: `Authenticating with ${given} is forbidden for this endpoint.  Supported authentication types are [${supported.join(', ')}].`,
    type: `${TYPES}/unsupported-authentication`,
    status: 403,
  });
}

/** What the plan of the app has not in it. */
export function clientForbidden(clientId: string): XProblem {
  return new XProblem(403, {
    client_id: clientId,
    detail: 'This endpoint is not included in the access level of your App. You need Enterprise access to use it.',
    registration_url: DOCUMENTATION,
    title: 'Client Forbidden',
    required_enrollment: 'Appropriate Level of API Access',
    reason: 'client-not-enrolled',
    type: `${TYPES}/client-forbidden`,
  });
}

/** The posts that the month has in it are read. */
export function usageCapped(accountId: string): XProblem {
  return new XProblem(429, {
    account_id: Number(accountId),
    product_name: 'standard-basic',
    title: 'UsageCapExceeded',
    period: 'Monthly',
    scope: 'Product',
    detail: 'Usage cap exceeded: Monthly product cap',
    type: `${TYPES}/usage-capped`,
  });
}

/** Nothing is left to pay with. */
export function creditsDepleted(accountId: string): XProblem {
  return new XProblem(402, {
    account_id: Number(accountId),
    title: 'CreditsDepleted',
    detail: `Your enrolled account [${accountId}] does not have any credits to fulfill this request.`,
    type: `${TYPES}/credits`,
  });
}

/** Where a resource was named. */
export interface Named {
  /** As `tweet`. */
  readonly type: string;
  readonly parameter: string;
  readonly value: string;
}

const named = ({ type, parameter, value }: Named): JsonObject => ({
  value,
  resource_id: value,
  resource_type: type,
  parameter,
});

/** One of the `errors` of an answer that is partly good: there is no such thing. */
export function missing(what: Named): JsonObject {
  return {
    ...named(what),
    title: 'Not Found Error',
    detail: `Could not find ${what.type} with ${what.parameter}: [${what.value}].`,
    type: `${TYPES}/resource-not-found`,
  };
}

/** One of the `errors`: its owner shows it to others only. */
export function notAuthorized(what: Named): JsonObject {
  return {
    ...named(what),
    section: 'data',
    title: 'Authorization Error',
    detail: `Sorry, you are not authorized to see the ${what.type} with ${what.parameter}: [${what.value}].`,
    type: `${TYPES}/not-authorized-for-resource`,
  };
}

/** One of the `errors`: X has closed the account. */
export function suspended(what: Named): JsonObject {
  return {
    ...named(what),
    title: 'Forbidden',
    detail: `User has been suspended: [${what.value}].`,
    type: `${TYPES}/resource-not-found`,
  };
}

/** One of the `errors`: a field that only its owner may ask for. */
export function fieldNotAuthorized(field: string, id: string): JsonObject {
  return {
    resource_id: id,
    resource_type: 'tweet',
    parameter: field,
    section: 'data',
    field,
    title: 'Field Authorization Error',
    detail: `Sorry, you are not authorized to access '${field}' on the Tweet with id : [${id}].`,
    type: `${TYPES}/not-authorized-for-field`,
  };
}
