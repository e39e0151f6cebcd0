import { withoutSecrets } from '#src/log.ts';
import type { RawRequest, RawResponse } from './exchange.ts';
import { parseJson } from './parse-json.ts';

/** Shorter parts of an `Authorization` header are its scheme and names of parameters. */
const SHORTEST_CREDENTIAL = 8;
/** The names of parameters with credentials. */
const CREDENTIAL = /token|secret|password|api_?key|code|jwt/iu;

type Request = Pick<RawRequest, 'url' | 'headers' | 'body'>;

/** The response without the credentials of the request: a server may repeat them in its explanation. */
export function withoutCredentials(answer: RawResponse, request: Request): RawResponse {
  return { ...answer, text: credentialRemover(request)(answer.text) };
}

/** Creates a function that removes the credentials of a request from the parts of its response. */
export function credentialRemover(request: Request): (text: string) => string {
  return withoutSecrets(credentialsIn(request));
}

function credentialsIn({ url, headers, body }: Request): readonly string[] {
  const inHeader = (headers['authorization'] ?? '').split(/[\s",=]+/u).filter((part) => part.length >= SHORTEST_CREDENTIAL);
  const named = [...(URL.parse(url)?.searchParams ?? []), ...(typeof body === 'string' ? parametersIn(body) : [])];
  return [...inHeader, ...named.flatMap(([name, value]) => (CREDENTIAL.test(name) && typeof value === 'string' ? [value] : []))];
}

/** The parameters of a body in JSON or in the form of a web page. */
function parametersIn(body: string): readonly (readonly [string, unknown])[] {
  const content = parseJson(body);
  if (content === undefined) return [...new URLSearchParams(body)];
  return typeof content === 'object' && content !== null ? Object.entries(content) : [];
}
