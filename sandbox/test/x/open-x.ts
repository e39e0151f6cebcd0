import { Client, OAuth1, type ClientConfig } from '@xdevplatform/xdk';
import { Agent as HttpsAgent } from 'node:https';
import { connect } from 'node:net';
import { TwitterApi } from 'twitter-api-v2';
import { fetch } from 'undici';
import { startSandbox, type Sandbox } from '../../index.ts';
import { SELF_ID } from '../../x/ids.ts';
import { xServer } from '../../x/server.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { controlApi } from '../../../test/support/control-api.ts';

/** The tokens of an account. */
interface Session {
  readonly userId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly oauthToken: string;
  readonly oauthTokenSecret: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // The shape of every answer of the API.
  readonly body: Record<string, unknown>;
}

export interface OpenX extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  readonly selfId: string;
  /** As `X_API_URL`. */
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The tokens of an account, by default of `fanfare`. */
  session(order?: { readonly user?: string; readonly scopes?: readonly string[] }): Promise<Session>;
  control(path: string, order?: object): Promise<Record<string, unknown>>;
  /** The official client. */
  xdk(config: Partial<ClientConfig>): Client;
  xdkOf(user?: string): Promise<Client>;
  xdkOAuth1(session: Pick<Session, 'oauthToken' | 'oauthTokenSecret'>, apiSecret?: string): Client;
  /** twitter-api-v2, whose requests to `https://api.x.com` go to the sandbox. */
  twitterApi(token: string): TwitterApi;
  twitterApiOAuth1(session: Pick<Session, 'oauthToken' | 'oauthTokenSecret'>): TwitterApi;
  /** A request without a client. */
  send(
    method: string,
    path: string,
    options?: {
      readonly token?: string;
      readonly json?: object;
      readonly form?: Record<string, string>;
      readonly headers?: Record<string, string>;
    },
  ): Promise<Answer>;
}

/** Creates a post and returns its id. */
export async function createPost(x: OpenX, token: string, json: object): Promise<string> {
  return idOf((await x.send('POST', '/2/tweets', { token, json })).body);
}

/** The id in an answer. */
export function idOf({ data }: { readonly data?: unknown }): string {
  return String((data as { readonly id?: unknown } | undefined)?.id); // answers with an id have it in `data`
}

/** Sends requests for `https://api.x.com` to the sandbox. */
class Redirect extends HttpsAgent {
  readonly #port: number;

  constructor(url: string) {
    super({ keepAlive: false });
    this.#port = Number(new URL(url).port);
  }

  override createConnection() {
    return connect(this.#port, '127.0.0.1');
  }

  /** Node calls this method for every request, but has no type for it. */
  addRequest(request: { path: string; setHeader(name: string, value: string): unknown }, options: object): void {
    request.path = `/x${request.path}`;
    // The sandbox refuses the names of other machines.
    request.setHeader('host', `127.0.0.1:${this.#port}`);
    const inherited = HttpsAgent.prototype as unknown as { addRequest(request: object, options: object): void }; // as above
    inherited.addRequest.call(this, request, options);
  }
}

/** X alone. The people of the sandbox write posts at times of the day, so the clock does not start at the current time. */
export async function openX({
  file,
  clock = new ManualClock(),
  names = 'post',
}: {
  readonly file?: string;
  readonly clock?: ManualClock;
  readonly names?: 'post' | 'tweet';
} = {}): Promise<OpenX> {
  const sandbox = await startSandbox({ platforms: [xServer], clock, file });
  const environment = sandbox.onRequest['x'] ?? {};
  const url = environment['X_API_URL'] ?? '';
  const { X_API_KEY: apiKey = '', X_API_SECRET = '' } = environment;

  const controlAll = controlApi(sandbox.url);
  const control: OpenX['control'] = (path, order) => controlAll(`/x${path}`, order);
  const session: OpenX['session'] = (order = {}) => controlAll('/x/sessions', order);
  const xdk = (config: Partial<ClientConfig>): Client => new Client({ ...config, baseUrl: url });

  await control('/settings', { names });
  return {
    sandbox,
    clock,
    selfId: SELF_ID,
    url,
    environment,
    session,
    control,
    xdk,
    xdkOf: async (user = 'fanfare') => xdk({ accessToken: (await session({ user })).accessToken }),
    xdkOAuth1: ({ oauthToken, oauthTokenSecret }, apiSecret = X_API_SECRET) =>
      xdk({ oauth1: new OAuth1({ apiKey, apiSecret, callback: 'oob', accessToken: oauthToken, accessTokenSecret: oauthTokenSecret }) }),
    twitterApi: (token) => new TwitterApi(token, { httpAgent: new Redirect(sandbox.url) }),
    twitterApiOAuth1: ({ oauthToken, oauthTokenSecret }) =>
      new TwitterApi(
        { appKey: apiKey, appSecret: X_API_SECRET, accessToken: oauthToken, accessSecret: oauthTokenSecret },
        { httpAgent: new Redirect(sandbox.url) },
      ),
    async send(method, path, { token, json, form, headers = {} } = {}) {
      const body = form ? new URLSearchParams(form).toString() : json && JSON.stringify(json);
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
      const answer = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(body === undefined ? {} : { 'content-type': type }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
      return {
        status: answer.status,
        headers: new Headers([...answer.headers]),
        body: isJson ? (JSON.parse(text) as Record<string, unknown>) : { text },
      }; // answers are objects
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}
