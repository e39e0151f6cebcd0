import type { JsonObject } from '#src/clients/operation/json.ts';

/** An invalid value in a form. */
export interface FormFault {
  readonly path: readonly PropertyKey[];
  /** For example `BASE_TYPE_REQUIRED`. */
  readonly code: string;
  readonly message: string;
}

/** An error answer of Discord. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: number;
  readonly errors: JsonObject | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, code: number, message: string, errors?: JsonObject, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.status = status;
    this.code = code;
    this.errors = errors;
  }

  toResponse(): Response {
    const { message, code, errors, status, retryAfterMs } = this;
    if (retryAfterMs === undefined) return Response.json({ message, code, errors }, { status });
    const headers = { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)), 'X-RateLimit-Scope': 'user' };
    return Response.json({ message, code, retry_after: retryAfterMs / 1000, global: false }, { status, headers });
  }
}

const unknown = (code: number, what: string) => (): Refusal => new Refusal(404, code, `Unknown ${what}`);

/** Discord's error answers. */
export const refusals = {
  unauthorized: () => new Refusal(401, 0, '401: Unauthorized'),
  noRoute: () => new Refusal(404, 0, '404: Not Found'),
  unknownApplication: unknown(10_002, 'Application'),
  unknownChannel: unknown(10_003, 'Channel'),
  unknownGuild: unknown(10_004, 'Guild'),
  unknownMember: unknown(10_007, 'Member'),
  unknownMessage: unknown(10_008, 'Message'),
  unknownRole: unknown(10_011, 'Role'),
  unknownUser: unknown(10_013, 'User'),
  unknownEmoji: unknown(10_014, 'Emoji'),
  unknownWebhook: unknown(10_015, 'Webhook'),
  unknownInteraction: unknown(10_062, 'interaction'),
  unknownEvent: unknown(10_070, 'Guild Scheduled Event'),
  tooManyEvents: () => new Refusal(400, 30_038, 'Maximum number of uncompleted guild scheduled events reached (100)'),
  unknownCommand: unknown(10_063, 'application command'),
  oldEdits: (retryAfterMs: number) =>
    new Refusal(429, 30_046, 'Maximum number of edits to messages older than 1 hour reached. Try again later.', undefined, retryAfterMs),
  /** A limit for single fields of a route is not in the headers of its bucket. */
  tooManyRenames: (retryAfterMs: number) => new Refusal(429, 0, 'You are being rate limited.', undefined, retryAfterMs),
  tooLarge: () => new Refusal(413, 40_005, 'Request entity too large'),
  alreadyPublished: () => new Refusal(400, 40_033, 'This message has already been crossposted'),
  alreadyAcknowledged: () => new Refusal(400, 40_060, 'Interaction has already been acknowledged.'),
  tagRequired: () => new Refusal(400, 40_067, 'A tag is required to create a forum post in this channel'),
  missingAccess: () => new Refusal(403, 50_001, 'Missing Access'),
  notTheAuthor: () => new Refusal(403, 50_005, 'Cannot edit a message authored by another user'),
  emptyMessage: () => new Refusal(400, 50_006, 'Cannot send an empty message'),
  /** The user shares no server with the bot, or blocks direct messages. */
  notToThisUser: () => new Refusal(403, 50_007, 'Cannot send messages to this user'),
  notForWriting: () => new Refusal(400, 50_008, 'Cannot send messages in a non-text channel'),
  missingPermissions: () => new Refusal(403, 50_013, 'Missing Permissions'),
  wrongChannelType: () => new Refusal(400, 50_024, 'Cannot execute action on this channel type'),
  invalidToken: () => new Refusal(401, 50_027, 'Invalid Webhook Token'),
  archived: () => new Refusal(400, 50_083, 'Thread is archived'),
  notJson: () => new Refusal(400, 50_109, 'The request body contains invalid JSON.'),
  noReplyWithoutHistory: () => new Refusal(400, 160_002, 'Cannot reply without permission to read message history'),
  threadLocked: () => new Refusal(400, 160_005, 'Thread is locked'),
  tooManyWebhooks: () => new Refusal(400, 30_007, 'Maximum number of webhooks reached (15)'),
  threadExists: () => new Refusal(400, 160_004, 'A thread has already been created for this message'),
};

/** The error answer to an invalid form. Each fault is nested at its path. */
export function invalidForm(faults: readonly FormFault[]): Refusal {
  return new Refusal(400, 50_035, 'Invalid Form Body', nest(faults, 0));
}

function nest(faults: readonly FormFault[], depth: number): JsonObject {
  const here = faults.filter(({ path }) => path.length === depth).map(({ code, message }) => ({ code, message }));
  const below = Map.groupBy(
    faults.filter(({ path }) => path.length > depth),
    ({ path }) => String(path[depth]),
  );
  const nested = [...below].map(([key, inner]) => [key, nest(inner, depth + 1)] as const);
  return { ...Object.fromEntries(nested), ...(here.length > 0 && { _errors: here }) };
}
