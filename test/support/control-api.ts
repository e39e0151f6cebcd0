import { request } from 'undici';

/** GET from the control API of a sandbox, or POST to it. `fetch` takes three times as long. */
export function controlApi(url: string): <T>(path: string, body?: unknown) => Promise<T> {
  return async <T>(path: string, body?: unknown) => {
    const order = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } as const;
    const response = await request(`${url}/control${path}`, body === undefined ? {} : order);
    const json: unknown = await response.body.json();
    if (response.statusCode >= 400) throw new Error(JSON.stringify(json));
    return json as T; // each caller knows the type of its path
  };
}
