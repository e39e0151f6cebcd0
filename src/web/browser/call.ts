import { ApiProblem, createApiClient, type CallOptions } from '../client/client.ts';
import type { Operations } from '../client/operations.ts';
import { withoutDirectionControls } from '../direction-controls.ts';

/** After this time, a request counts as one without an answer. */
const LIMIT_MS = 60_000;

/** Calls the API as the reader of the page. If the reader has signed in again in another tab, the page takes over that session. */
export async function call<Name extends keyof Operations>(
  operation: Name,
  input: Operations[Name]['input'],
  { signal, ...options }: CallOptions = {},
): Promise<Operations[Name]['answer']> {
  const limited = (): AbortSignal => AbortSignal.any([AbortSignal.timeout(LIMIT_MS), ...(signal ? [signal] : [])]);
  const send = () => {
    const client = createApiClient({ csrfToken: document.body.dataset['formToken'] || undefined });
    return client.call(operation, input, { ...options, signal: limited() });
  };
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.problem.code !== 'forbidden') throw error;
    const { csrfToken, name } = await createApiClient().call('getSession', {}, { signal: limited() });
    if (csrfToken === undefined || csrfToken === document.body.dataset['formToken']) throw error;
    document.body.dataset['formToken'] = csrfToken;
    // The form of the sign-out belongs to the session too.
    for (const field of document.querySelectorAll<HTMLInputElement>('input[name=csrf]')) field.value = csrfToken;
    // Another person may have signed in.
    for (const person of document.querySelectorAll('.sign-out > span')) person.textContent = withoutDirectionControls(name);
    return send();
  }
}
