import { createRestAPIClient, type mastodon } from 'masto';
import { fetch, type RequestInit, type Response } from 'undici';
import { mastodonServer } from '../../mastodon/server.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../index.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { controlApi } from '../../../test/support/control-api.ts';

type Masto = mastodon.rest.Client;

/** A server with a manual clock, and the masto client. */
export interface OpenMastodon extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  /** As `http://127.0.0.1:8081/mastodon`. */
  readonly url: string;
  readonly token: string;
  /** Signed in as the account of the sandbox. */
  readonly masto: Masto;
  /** A client that is signed in as another person, or with other scopes. */
  as(user: string, scopes?: string): Promise<Masto>;
  /** A client without a token. */
  readonly anonymous: Masto;
  /** Changes the settings of the server. */
  configure(settings: object): Promise<void>;
  /** One request without the client. The path begins with `/api`. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

export async function openMastodon(
  options: Pick<SandboxOptions, 'file' | 'lively'> & { readonly clock?: ManualClock } = {},
): Promise<OpenMastodon> {
  const { clock = new ManualClock(), ...rest } = options;
  const sandbox = await startSandbox({ platforms: [mastodonServer], clock, ...rest });
  const { MASTODON_URL: url = '', MASTODON_TOKEN: token = '' } = sandbox.onRequest['mastodon'] ?? {};

  const control = controlApi(sandbox.url);

  return {
    sandbox,
    clock,
    url,
    token,
    masto: createRestAPIClient({ url, accessToken: token }),
    anonymous: createRestAPIClient({ url }),
    async as(user, scopes = 'read write follow push') {
      const { token: theirs } = await control<{ readonly token: string }>('/mastodon/sessions', { user, scopes });
      return createRestAPIClient({ url, accessToken: theirs });
    },
    async configure(settings) {
      await control('/mastodon/server', settings);
    },
    send: (path, init = {}) => fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...plain(init.headers) } }),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

/** The status and the message of a refusal. */
export async function refusalOf(request: PromiseLike<unknown>): Promise<readonly [number, string]> {
  try {
    await request;
  } catch (error) {
    const { statusCode, message } = error as { readonly statusCode: number; readonly message: string }; // the error of masto
    return [statusCode, message];
  }
  throw new Error('the server did not refuse the request');
}

function plain(headers: RequestInit['headers']): Record<string, string> {
  return (headers ?? {}) as Record<string, string>; // these tests write headers as records alone
}
