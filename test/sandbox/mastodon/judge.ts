import { createRestAPIClient, type mastodon } from 'masto';
import { fetch, type RequestInit, type Response } from 'undici';
import { mastodonServer } from '#src/sandbox/mastodon/server.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '#src/sandbox/index.ts';
import { ManualClock } from '../../support/manual-clock.ts';

type Masto = mastodon.rest.Client;

/** A server whose time stands still, and the client that others wrote. */
export interface Judged extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  /** As `http://127.0.0.1:8081/mastodon`. */
  readonly url: string;
  readonly token: string;
  /** Signed in as the account. */
  readonly masto: Masto;
  /** Signed in as somebody else, or with other scopes. */
  as(user: string, scopes?: string): Promise<Masto>;
  /** Whoever has no account. */
  readonly stranger: Masto;
  /** Sets the server up otherwise. */
  order(settings: object): Promise<void>;
  /** One request with nothing in between; the path from `/api` on. */
  ask(path: string, init?: RequestInit): Promise<Response>;
}

export async function judge(options: Pick<SandboxOptions, 'file' | 'lively'> & { readonly clock?: ManualClock } = {}): Promise<Judged> {
  const { clock = new ManualClock(), ...rest } = options;
  const sandbox = await startSandbox({ platforms: [mastodonServer], clock, ...rest });
  const { MASTODON_URL: url = '', MASTODON_TOKEN: token = '' } = sandbox.onRequest['mastodon'] ?? {};

  async function control(path: string, body: object): Promise<unknown> {
    const response = await fetch(`${sandbox.url}/control/mastodon/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`the control API answered ${response.status}: ${await response.text()}`);
    return response.json();
  }

  return {
    sandbox,
    clock,
    url,
    token,
    masto: createRestAPIClient({ url, accessToken: token }),
    stranger: createRestAPIClient({ url }),
    async as(user, scopes = 'read write follow push') {
      const { token: theirs } = (await control('sessions', { user, scopes })) as { readonly token: string }; // the control API is ours
      return createRestAPIClient({ url, accessToken: theirs });
    },
    async order(settings) {
      await control('server', settings);
    },
    ask: (path, init = {}) => fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...plain(init.headers) } }),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

/** What a refusal says, by its status and its words. */
export async function refusalOf(asked: PromiseLike<unknown>): Promise<readonly [number, string]> {
  try {
    await asked;
  } catch (error) {
    const { statusCode, message } = error as { readonly statusCode: number; readonly message: string }; // what masto throws
    return [statusCode, message];
  }
  throw new Error('nothing was refused');
}

/** All items of a list, page by page. */
export async function allOf<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

function plain(headers: RequestInit['headers']): Record<string, string> {
  return (headers ?? {}) as Record<string, string>; // these tests write headers as records alone
}
