import { fetch } from 'undici';
import { ApiProblem, createApiClient } from '#src/web/client/client.ts';
import type { Operations } from '#src/web/client/operations.ts';

/** What a form of a page sends, without typed fields. */
export type PageForm = readonly [operation: string, input: object];

/** The forms of a page that send an operation, without those that have nothing to do. */
export function formsIn(page: string): readonly PageForm[] {
  return [...page.matchAll(/data-operation="(\w+)" data-input="([^"]*)"(?![^>]*data-off)/gu)].map(([, operation = '', input = '']) => [
    operation,
    JSON.parse(input.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')),
  ]);
}

interface Submitted {
  /** The address of the page. */
  readonly address: string;
  readonly operation: string;
  /** The typed fields by their names, for example `entries.0.id`. */
  readonly typed?: Readonly<Record<string, string>> | undefined;
}

/** Sends the first form of a page with an operation, as its script does. Resolves with the reason of a failure. */
export async function submitForm(url: string, { address, operation, typed = {} }: Submitted): Promise<true | string> {
  const found = formsIn(await (await fetch(url + address)).text()).find(([name]) => name === operation);
  if (!found) return `${address} has no form for ${operation}`;
  const [, input] = found;
  for (const [name, text] of Object.entries(typed)) put(input, name.split('.'), text);
  try {
    // The page names an operation, and makes its input.
    await createApiClient({ url, fetch: fromPage }).call(operation as keyof Operations, input as never);
    return true;
  } catch (error) {
    if (error instanceof ApiProblem) return error.message;
    throw error;
  }
}

/** Sends a request as a script of the page. */
async function fromPage(address: unknown, { method, headers, body }: RequestInit = {}): Promise<Response> {
  const sent = { ...Object.fromEntries(new Headers(headers)), 'sec-fetch-site': 'same-origin' };
  // The client of the API sends texts to an address that is a text.
  const answer = await fetch(address as string, { method: method ?? 'GET', headers: sent, body: (body ?? null) as string | null });
  return new Response(await answer.text(), { status: answer.status });
}

function put(target: object, [first = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) Reflect.set(target, first, value);
  else put(Reflect.get(target, first), rest, value);
}
