import { binding, Session } from '#adapters/bluesky/auth/sessions.ts';
import { bluesky, type BlueskyOptions } from '#adapters/bluesky/index.ts';
import { tokensInMemory, type AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Exchange, type Reply, type ScriptedHttp, type Step } from '../../support/script-http.ts';

export const DID = 'did:plc:ada';
export const PASSWORD = 'abcd-efgh-ijkl-mnop';

/** The answer of a server that opens a session. */
export function opened(number: number, more: Readonly<Record<string, unknown>> = {}): Reply {
  return {
    json: { did: DID, handle: 'ada.test', accessJwt: `access-${number}`, refreshJwt: `refresh-${number}`, active: true, ...more },
  };
}

export const SIGN_IN: Exchange = ['POST /xrpc/com.atproto.server.createSession', opened(1)];

/** A refusal of a server. */
export function refused(status: number, error: string, message = 'no'): Reply {
  return { status, json: { error, message } };
}

export interface ScriptedBluesky extends AsyncDisposable {
  readonly social: SocialAsync;
  readonly platform: SocialPlatform;
  readonly tokens: AccountTokens;
  readonly clock: ManualClock;
  readonly server: ScriptedHttp;
  /** The bodies of all writes, in order. */
  written(): readonly unknown[];
}

interface ScriptOptions extends Partial<Omit<BlueskyOptions, 'tokens'>> {
  readonly signIn?: readonly Exchange[];
  /** The stored session for the address of the server. */
  readonly kept?: ((url: string) => object) | undefined;
  /** Whether the server is also the directory of DIDs. */
  readonly isDirectory?: boolean;
}

/** A `SocialAsync` on a server that answers exactly these exchanges after the sign-in. */
export async function scriptBluesky(
  steps: readonly Step[],
  { kept, isDirectory = false, signIn = kept ? [] : [SIGN_IN], ...options }: ScriptOptions = {},
): Promise<ScriptedBluesky> {
  const clock = new ManualClock();
  const server = await scriptHttp([...signIn, ...steps]);
  const { appPassword } = { appPassword: PASSWORD, ...options };
  const bound = kept && binding({ url: server.url, appPassword }).bind(Session.parse(kept(server.url)));
  const tokens = tokensInMemory(bound);
  const platform = bluesky({
    url: server.url,
    handle: 'ada.test',
    appPassword: PASSWORD,
    clock,
    tokens,
    ...(isDirectory && { plcUrl: server.url }),
    ...options,
  });
  return {
    social: new SocialAsync({ platform, clock }),
    platform,
    tokens,
    clock,
    server,
    written: () => server.seen.filter(({ line }) => line.startsWith('POST')).map(({ body }) => JSON.parse(body || 'null') as unknown),
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A stored session. */
export function session(number: number, pds: string): object {
  return { did: DID, handle: 'ada.test', pds, accessJwt: `access-${number}`, refreshJwt: `refresh-${number}` };
}
