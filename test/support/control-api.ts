/** Importing undici replaces the agent of discord.js. */
const { fetch } = globalThis;

/** GET from the control API of a sandbox, or POST to it. */
export function controlApi(url: string): <T>(path: string, body?: unknown) => Promise<T> {
  return async <T>(path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${url}/control${path}`, init);
    const json: unknown = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(json));
    return json as T; // each caller knows the type of its path
  };
}
