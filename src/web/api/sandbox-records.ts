import { z } from 'zod';
import type { Role } from '#src/admin/actions/actor.ts';
import { SANDBOX_DISCORD_RECORDS } from './sandbox-discord-records.ts';

const instant = (about: string) => z.iso.datetime().describe(about);

/** The kinds of faults of the sandbox. Its control API describes them. */
export const FAULT_KINDS = [
  'status',
  'page',
  'pageAfter',
  'brokenJson',
  'rateLimit',
  'resetBefore',
  'resetAfter',
  'delay',
  'endlessCursor',
  'emptyList',
  'shortList',
  'repeatedItem',
  'delayedVisibility',
  'ignoreKey',
  'duplicateEffects',
  'lostNotification',
  'lateNotification',
  'repeatedNotification',
  'swappedNotification',
  'forgedNotification',
  'foreignNotification',
  'silentSocket',
] as const;

/** A fault that makes requests of Fanfare fail. */
const SandboxFault = z
  .object({
    platform: z.string().describe('The platform, for example `discord`.'),
    kind: z.enum(FAULT_KINDS).describe('What fails.'),
    method: z.string().describe('Only requests with this method.').optional(),
    route: z.string().describe('Only requests whose path has this text.').optional(),
    except: z.string().describe('No request whose path has this text.').optional(),
    status: z.int().describe('The status code of the answer.').optional(),
    ms: z.number().describe('The duration, in milliseconds.').optional(),
    times: z.int().describe('The number of requests that it still applies to; absent: until a person ends it.').optional(),
  })
  .meta({ examples: [{ platform: 'discord', kind: 'status', status: 503, times: 1 }] });

/** The faults that apply. */
export const SandboxFaults = z
  .object({ items: z.array(SandboxFault).describe('The open faults.') })
  .meta({ examples: [{ items: [{ platform: 'discord', kind: 'status', status: 503, times: 1 }] }] });

const clock = {
  now: instant('The time of Fanfare and of the sandbox.'),
  speed: z.number().describe('The speed of the time relative to the real time.'),
  movable: z.boolean().describe('Whether the clock can be moved: not with PostgreSQL, and not on a sandbox in another process.'),
};

/** The clock that Fanfare and the sandbox share. */
export const SandboxClock = z.object(clock).meta({ examples: [{ now: '2026-11-20T18:00:00.000Z', speed: 1, movable: true }] });

/** The platforms and the games of the sandbox. */
export const SandboxWorld = z.object({
  platforms: z.array(z.string()),
  games: z.array(z.object({ name: z.string() })),
});

/** The sandbox on which Fanfare runs. */
export const Sandbox = z
  .object({
    ...clock,
    platforms: z.array(z.string()).describe('The simulated platforms.'),
    games: z.array(z.string()).describe('The games of the world.'),
    faults: z.array(SandboxFault).describe('The open faults.'),
  })
  .meta({
    examples: [
      { now: '2026-11-20T18:00:00.000Z', speed: 1, movable: true, platforms: ['twitch', 'discord'], games: ['Chess'], faults: [] },
    ],
  });

/** A simulated streamer. */
export const SandboxStreamer = z
  .object({
    user: z
      .object({
        id: z.string().describe('The id.'),
        handle: z.string().describe('The handle.'),
        displayName: z.string().describe('The name.'),
      })
      .describe('The streamer.'),
    live: z
      .object({
        broadcastId: z.string().describe('The id of the stream.'),
        game: z.object({ id: z.string().describe('The id.'), name: z.string().describe('The name.') }).describe('The game.'),
        title: z.string().describe('The title.'),
        viewers: z.int().describe('The number of viewers.'),
        startedAt: instant('The start.'),
      })
      .describe('The stream; absent while the streamer is offline.')
      .optional(),
  })
  .meta({
    examples: [
      {
        user: { id: '1202584', handle: 'ada', displayName: 'Ada' },
        live: {
          broadcastId: '43001',
          game: { id: '1', name: 'Chess' },
          title: 'Rook endgames',
          viewers: 1200,
          startedAt: '2026-11-20T18:00:00.000Z',
        },
      },
    ],
  });

/** A changed stream. */
export const SandboxChange = z
  .object({
    at: instant('The time of the change.'),
    broadcastId: z.string().describe('The id of the stream; absent if the streamer is not live.').optional(),
  })
  .meta({ examples: [{ at: '2026-11-20T18:00:00.000Z', broadcastId: '43001' }] });

/** A published article. */
export const SandboxArticle = z.object({ article: z.string().describe('The id of the article.') }).meta({ examples: [{ article: 'a1' }] });

/** The records that only the API of a sandbox has. */
export const SANDBOX_RECORDS = {
  Sandbox,
  SandboxClock,
  SandboxFault,
  SandboxFaults,
  SandboxStreamer,
  SandboxChange,
  SandboxArticle,
  ...SANDBOX_DISCORD_RECORDS,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** The name of a record that only the API of a sandbox has. */
export type SandboxRecordName = keyof typeof SANDBOX_RECORDS;

export interface SandboxWrite {
  readonly method?: 'post' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly needs: Role;
  readonly body: z.ZodObject;
  readonly answer: readonly [of: SandboxRecordName, about: string];
}
