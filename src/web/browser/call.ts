import { ApiProblem, createApiClient, type CallOptions } from '../client/client.ts';
import type { Operations } from '../client/operations.ts';

/** Calls the API as the reader of the page. If the reader has signed in again in another tab, the page takes over that session. */
export async function call<Name extends keyof Operations>(
  operation: Name,
  input: Operations[Name]['input'],
  options?: CallOptions,
): Promise<Operations[Name]['answer']> {
  const send = () => createApiClient({ csrfToken: document.body.dataset['formToken'] || undefined }).call(operation, input, options);
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.problem.code !== 'forbidden') throw error;
    const { csrfToken } = await createApiClient().call('getSession', {});
    if (csrfToken === undefined || csrfToken === document.body.dataset['formToken']) throw error;
    document.body.dataset['formToken'] = csrfToken;
    return send();
  }
}
