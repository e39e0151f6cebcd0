import { STATUS_CODES } from 'node:http';

/** A refusal as Helix words it. */
export function helixRefusal(status: number, message: string): Response {
  return Response.json({ error: STATUS_CODES[status] ?? '', status, message }, { status });
}

/** A refusal as the authorization server words it. */
export function authRefusal(status: number, message: string): Response {
  return Response.json({ status, message }, { status });
}
