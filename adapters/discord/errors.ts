import type * as discordJs from 'discord.js';
import { type Fault, type ParameterPart, PlatformError } from '#src/errors.ts';
import { type ErrorMeaning, faultOfStatus, networkHint } from '#src/http/errors.ts';
import { oneLine } from '#src/http/explanation.ts';
import { meaningOfForeign } from '#src/http/foreign-answers.ts';
import { faultOfAttempt, isNotSent } from '#src/http/outcome.ts';

export const PLATFORM = 'discord';

interface Circumstances {
  readonly discord: Pick<typeof discordJs, 'DiscordAPIError' | 'HTTPError' | 'RateLimitError'>;
  readonly method: string;
  readonly nowMs: number;
}

/** The error code of Discord; undefined for other errors. */
export function codeOf(error: unknown): number | undefined {
  const cause = error instanceof PlatformError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'number' ? cause.code : undefined;
}

/** Error codes that mean "already done", or that the target must be created again. */
export const CODES = {
  unknownChannel: 10_003,
  unknownGuild: 10_004,
  unknownMember: 10_007,
  unknownMessage: 10_008,
  unknownRole: 10_011,
  unknownEvent: 10_070,
  published: 40_033,
  tagRequired: 40_067,
  missingAccess: 50_001,
  missingPermissions: 50_013,
  notToThisUser: 50_007,
  archived: 50_083,
  threadExists: 160_004,
  noReplyWithoutHistory: 160_002,
  locked: 160_005,
} as const;

/** Converts an error of discord.js into a `PlatformError`. */
export function toPlatformError(cause: unknown, { discord, method, nowMs }: Circumstances): PlatformError {
  if (cause instanceof PlatformError) return cause;
  if (cause instanceof discord.DiscordAPIError) {
    const { status, code, rawError } = cause;
    // discord.js returns other content than JSON as bytes. Discord's errors are JSON, so a page comes from a proxy.
    const page: unknown = rawError;
    const text = page instanceof ArrayBuffer ? new TextDecoder().decode(page) : '{}';
    const fault = faultOfStatus(status) ?? 'malformed';
    const foreign = meaningOfForeign({ refusesInJson: true, host: 'DISCORD_API_URL' }, { status, headers: {}, text }, fault);
    if (foreign) return failedOnTheWay(method, status, foreign, cause);
    const passing = PASSING[Number(code)];
    if (passing !== undefined) return failedOnTheWay(method, status, { fault: 'unavailable', advice: passing }, cause);
    const explanation = oneLine(cause.message)?.replace(/\.$/u, '');
    const reason = typeof code === 'number' && code > 0 ? ` (${explanation ?? 'no reason given'}, code ${code})` : '';
    return new PlatformError(`Discord refused with ${status}${reason}.${CURES[Number(code)] ?? HINTS[fault] ?? ''}`, {
      platform: PLATFORM,
      fault,
      status,
      explanation,
      cause,
      // An account is the bot in one server.
      refusesAccount: code === CODES.unknownGuild,
    });
  }
  if (cause instanceof discord.RateLimitError) {
    const waitMs = Math.max(cause.timeToReset, cause.retryAfter, 1_000);
    return new PlatformError('Discord limits the requests.', {
      platform: PLATFORM,
      fault: 'rateLimited',
      status: 429,
      retryAt: new Date(nowMs + waitMs),
      sentNothing: isUnsent(cause),
      cause,
    });
  }
  if (cause instanceof discord.HTTPError) {
    return failedOnTheWay(method, cause.status, { fault: 'unavailable', advice: 'Discord is unavailable.' }, cause);
  }
  if (cause instanceof SyntaxError) return unreadable(cause);
  if (isNotSent(cause)) {
    const advice = networkHint(cause.code) ?? 'check the network.';
    return new PlatformError(`Discord cannot be reached (${cause.code}): ${advice}`, { platform: PLATFORM, fault: 'unreachable', cause });
  }
  return new PlatformError('Discord did not respond.', { platform: PLATFORM, fault: 'unanswered', cause });
}

/** Advice for error codes that pass, although their status is that of a final refusal: https://docs.discord.com/developers/topics/opcodes-and-status-codes#json. */
const PASSING: Readonly<Record<number, string>> = {
  40_333: 'Cloudflare, in front of Discord, blocks the request.',
  130_000: 'Discord is overloaded.',
};

/** Whether discord.js has not sent a request because of a limit: only then, both times are the same. */
export function isUnsent({
  timeToReset,
  retryAfter,
  global,
}: Pick<discordJs.RateLimitData, 'timeToReset' | 'retryAfter' | 'global'>): boolean {
  return timeToReset === retryAfter && !global;
}

/** Discord or a proxy failed. The message may exist. */
function failedOnTheWay(method: string, status: number, { fault: reported, advice }: ErrorMeaning, cause: Error): PlatformError {
  const fault = faultOfAttempt({ method, creates: method === 'POST', phase: 'answered', fault: reported });
  return new PlatformError(`Discord failed with ${status}: ${advice}`, { platform: PLATFORM, fault, status, cause });
}

/** An answer that does not match Discord's documentation. */
export function unreadable(cause?: unknown): PlatformError {
  const message = 'the response of Discord cannot be read: check DISCORD_API_URL.';
  return new PlatformError(message, { platform: PLATFORM, fault: 'malformed', cause });
}

/** The error for something that the Discord server does not have. */
export function missing(message: string, part?: ParameterPart): PlatformError {
  return new PlatformError(message, { platform: PLATFORM, fault: 'missing', part });
}

/** Discord lists the members only for a bot with this intent. */
export const MEMBERS_INTENT =
  'Discord does not list the members for this bot: turn on Server Members Intent on the page Bot of the application.';

/** The advice without the Message Content Intent. */
export const CONTENT_INTENT =
  'Discord does not show the messages of members to this bot: turn on Message Content Intent on the page Bot of the application.';

/** The error for a list of members that Discord withholds. */
export function unlisted(): PlatformError {
  return new PlatformError(MEMBERS_INTENT, { platform: PLATFORM, fault: 'forbidden' });
}

/** The advice without the Presence Intent. */
export const PRESENCE_INTENT =
  'Discord does not show the status of members to the bot: turn on Presence Intent on the page Bot of the application, and restart Fanfare.';

/** The states of members, which come over the gateway, are not complete. */
export function notKnown(kind: 'presence' | 'voice'): PlatformError {
  const what = kind === 'presence' ? 'the status of the members' : 'the members in voice channels';
  const intent = kind === 'presence' ? ' For the status, turn on Presence Intent on the page Bot of the application.' : '';
  return new PlatformError(
    `Fanfare does not know ${what} now: it is not connected to the gateway of Discord, or it was started before a rule needed them.${intent} If this stays, restart Fanfare.`,
    { platform: PLATFORM, fault: 'unavailable' },
  );
}

/** The error for a role of another server that would make a member a moderator. */
export function unsafe(role: string): PlatformError {
  return new PlatformError(
    `The role "${role}" has permissions of moderators: choose another role with /setup, or remove its permissions.`,
    {
      platform: PLATFORM,
      fault: 'rejected',
    },
  );
}

/** More members are in voice channels than Fanfare reads. */
export function tooManyInVoice(count: number): PlatformError {
  return new PlatformError(`${count} members are in voice channels; Fanfare reads at most 100.`, { platform: PLATFORM, fault: 'rejected' });
}

const HINTS: Partial<Record<Fault, string>> = {
  unauthorized: ' Check DISCORD_TOKEN.',
  forbidden:
    ' In the channel, the bot needs View Channel, Send Messages, Embed Links and Read Message History. For roles, it needs Manage Roles and a higher role.',
  rejected: ' Check the lengths and addresses in the message.',
};

/** Advice for error codes that are more specific than the fault. */
const CURES: Readonly<Record<number, string>> = {
  [CODES.unknownGuild]: ' The bot is not in this server, or the server id is wrong.',
  [CODES.unknownChannel]: ' The channel or the thread was deleted.',
  [CODES.unknownMember]: ' The user is not in the server.',
  [CODES.unknownMessage]: ' The message was deleted.',
  [CODES.unknownRole]: ' The role was deleted.',
  [CODES.notToThisUser]: ' The member does not accept direct messages of the bot.',
  [CODES.locked]: ' A moderator locked the thread: the bot needs Manage Threads there.',
  [CODES.archived]: ' The thread is archived.',
  40_005: ' The files are too large for this server.',
};
