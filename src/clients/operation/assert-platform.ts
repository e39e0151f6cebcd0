import { ValidationError } from '#src/errors.ts';

const FACTORIES = 'a function of `fanfare/adapters/…`, for example twitch({ clientId, clientSecret })';

/** Checks the platform of a client, which programs in JavaScript can leave out; throws a `ValidationError` before any request. */
export function assertPlatform(client: string, options: unknown, operations: ReadonlySet<string>): void {
  const platform = typeof options === 'object' && options !== null && 'platform' in options ? options.platform : undefined;
  const refuse = (problem: string): never => {
    throw new ValidationError(`${client}: platform ${problem}.`, { path: 'platform' });
  };
  if (platform === undefined || platform === null) return refuse(`is missing: pass the result of ${FACTORIES}`);
  if (typeof platform === 'function') return refuse(`is the function ${platform.name}: call it with its options, and pass the result`);
  if (typeof platform !== 'object' || !('operations' in platform) || !('capabilities' in platform)) {
    return refuse(`is not an adapter: pass the result of ${FACTORIES}`);
  }
  const offered = Object.keys(platform.capabilities ?? {});
  const others = offered.filter((operation) => !operations.has(operation));
  if (others.length <= offered.length / 2) return;
  const name = 'name' in platform ? String(platform.name) : 'this adapter';
  refuse(`${name} is for another client: Bot is for streaming platforms, and SocialAsync for social platforms`);
}
