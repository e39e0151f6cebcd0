import { type Clock, untilAborted } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { HttpClient } from '#src/http/client.ts';
import { isFault } from '#src/http/errors.ts';
import { beforeWrite } from '#src/http/outcome.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { Issued, StoredChannel } from './issued.ts';

/** A token is renewed when it is valid for less than this. */
const SPARE_MS = 5 * 60_000;

interface ChannelOptions {
  readonly tokens: AccountTokens | undefined;
  readonly auth: HttpClient;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly account: string;
  readonly clock: Clock;
  /** Whether a token is still valid. Twitch requires a check at the start and every hour. */
  readonly isGood: (value: string, signal: AbortSignal) => Promise<boolean>;
}

/** The signed-in channel of an account. */
export interface Channel {
  /** The id of the signed-in channel. Undefined without one. */
  id(): Promise<string | undefined>;
  /** Sends with the token of the channel, which must have the permission. A refused token is renewed once. */
  authorized<T>(scope: string, signal: AbortSignal | undefined, send: (token: string, channelId: string) => Promise<T>): Promise<T>;
}

/** Creates the token of a channel from its stored sign-in. */
export function channelOf(options: ChannelOptions): Channel {
  const { tokens, auth, authUrl, clientId, clientSecret, account, clock, isGood } = options;
  let signedIn: StoredChannel | undefined;
  /** Issued, but not saved yet. */
  let unsaved: StoredChannel | undefined;
  let renewing: Promise<StoredChannel> | undefined;

  async function load(): Promise<StoredChannel | undefined> {
    const { data } = StoredChannel.safeParse(await tokens?.load());
    // Tokens of another app or server are sent to no other.
    signedIn = data?.clientId === clientId && data.authUrl === authUrl ? data : undefined;
    return signedIn;
  }

  async function current(): Promise<StoredChannel | undefined> {
    return signedIn && !(await tokens?.areOthers()) ? signedIn : load();
  }

  async function save(next: StoredChannel): Promise<StoredChannel> {
    // Saved before its first use, because a refresh token can be valid once.
    unsaved = next;
    await tokens?.save({ ...next, expiresAt: next.expiresAt.toISOString() });
    unsaved = undefined;
    signedIn = next;
    return next;
  }

  /** A token other than `bad`, renewed here or by another process. */
  async function renew(bad: string | undefined): Promise<StoredChannel> {
    const areOthers = await tokens?.areOthers();
    if (unsaved && !areOthers) return save(unsaved);
    const found = await load();
    if (!found) throw noChannel(account);
    if (isFresh(found) && found.accessToken !== bad) return found;
    const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'refresh_token', refresh_token: found.refreshToken };
    try {
      const { access_token, refresh_token, expires_in, scope } = (await auth.request({ method: 'POST', path: '/token', form })).json(
        Issued,
      );
      const expiresAt = new Date(clock.nowMs() + expires_in * 1000);
      return await save({ ...found, accessToken: access_token, refreshToken: refresh_token, expiresAt, scopes: scope ?? found.scopes });
    } catch (error) {
      throw isFault(error, 'rejected', 'unauthorized', 'forbidden') ? signInAgain(account, error) : error;
    }
  }

  /** Shares one renewal between all callers. No caller aborts it, because the new tokens would be lost with the response. */
  function renewed(bad: string | undefined, signal: AbortSignal | undefined): Promise<StoredChannel> {
    const work = (): Promise<StoredChannel> => renew(bad);
    renewing ??= (tokens ? tokens.alone(work) : work()).finally(() => (renewing = undefined));
    renewing.catch(() => undefined);
    return beforeWrite(untilAborted(renewing, signal));
  }

  function isFresh({ expiresAt }: StoredChannel): boolean {
    return expiresAt.getTime() - clock.nowMs() > SPARE_MS;
  }

  return {
    id: async () => (await current())?.userId,

    async authorized(scope, signal, send) {
      const found = await current();
      if (!found) throw noChannel(account);
      const isValid = isFresh(found) && (await isGood(found.accessToken, signal ?? new AbortController().signal));
      const first = isValid ? found : await renewed(found.accessToken, signal);
      if (!first.scopes.includes(scope)) throw notGranted(account, scope);
      try {
        return await send(first.accessToken, first.userId);
      } catch (error) {
        if (!isFault(error, 'unauthorized')) throw error;
        const second = await renewed(first.accessToken, signal);
        return await send(second.accessToken, second.userId).catch((again: unknown) => {
          throw isFault(again, 'unauthorized') ? signInAgain(account, again) : again;
        });
      }
    },
  };
}

/** An `unauthorized` would pause all polls of the account, which do not need the channel. */
function refused(what: string, cause?: unknown): PlatformError {
  return new PlatformError(`twitch: ${what}`, { platform: 'twitch', fault: 'forbidden', cause });
}

function noChannel(account: string): PlatformError {
  return refused(`no channel is signed in to ${account}: run \`npx fanfare auth ${account} --channel\`.`);
}

function signInAgain(account: string, cause: unknown): PlatformError {
  return refused(`the sign-in of the channel has ended: run \`npx fanfare auth ${account} --channel\`.`, cause);
}

function notGranted(account: string, scope: string): PlatformError {
  return refused(`the channel has not granted ${scope}: run \`npx fanfare auth ${account} --channel\`, and allow it.`);
}
