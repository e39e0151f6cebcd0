import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { KEY } from './action-routes.ts';
import { NoParams, SandboxDiscordParams, SandboxStreamerParams } from './query.ts';
import { list, READ_PROBLEMS, record, WRITE_PROBLEMS } from './responses.ts';
import { SANDBOX_DISCORD_WRITES } from './sandbox-discord-writes.ts';
import { FAULT_KINDS, type SandboxWrite } from './sandbox-records.ts';

const handle = z.string().min(1).max(100).describe('The handle or the id of the streamer.');

export const SANDBOX_READS = {
  getSandbox: createRoute({
    method: 'get',
    path: '/api/sandbox',
    operationId: 'getSandbox',
    summary: 'Get the sandbox',
    description: 'The clock, the platforms, the games and the open faults of the sandbox.',
    request: { query: NoParams },
    responses: { 200: record('Sandbox', 'The sandbox.'), ...READ_PROBLEMS },
  }),
  listSandboxStreamers: createRoute({
    method: 'get',
    path: '/api/sandbox/streamers',
    operationId: 'listSandboxStreamers',
    summary: 'List simulated streamers',
    description: 'The streamers of the sandbox. The best known ones are first; with `state=live`, the most watched ones.',
    request: { query: SandboxStreamerParams },
    responses: { 200: list('SandboxStreamer', { isPage: true }), ...READ_PROBLEMS },
  }),
  getSandboxDiscord: createRoute({
    method: 'get',
    path: '/api/sandbox/discord',
    operationId: 'getSandboxDiscord',
    summary: 'Get a channel of the simulated Discord',
    description: 'A channel as a member sees it, with the commands that the member may use. It needs the role `admin`.',
    request: { query: SandboxDiscordParams },
    responses: { 200: record('SandboxDiscord', 'The channel.'), ...WRITE_PROBLEMS },
  }),
} as const;

/** The writes of the sandbox. Their bodies have fixed fields: the API is no proxy. */
export const SANDBOX_WRITES = {
  changeSandboxWorld: {
    path: '/api/sandbox/world',
    summary: 'Start, change or end a simulated stream',
    needs: 'editor',
    body: z.strictObject({
      do: z.enum(['goLive', 'end', 'changeGame', 'changeTitle', 'setViewers']).describe('The change.'),
      user: handle,
      game: z.string().min(1).max(200).describe('The name or the id of the game: for `goLive` and `changeGame`.').optional(),
      title: z.string().min(1).max(140).describe('The title: for `goLive` and `changeTitle`.').optional(),
      viewers: z.int().min(0).max(10_000_000).describe('The number of viewers: for `goLive` and `setViewers`.').optional(),
    }),
    answer: ['SandboxChange', 'The stream is changed.'],
  },
  publishSandboxArticle: {
    path: '/api/sandbox/articles',
    summary: 'Publish an article in a simulated feed',
    needs: 'editor',
    body: z.strictObject({
      feed: z.string().min(1).max(200).describe('The host name of the feed, which ends with `.example`.'),
      title: z.string().min(1).max(300).describe('The title.'),
      text: z.string().max(10_000).describe('The content.').optional(),
    }),
    answer: ['SandboxArticle', 'The article is published.'],
  },
  addSandboxFault: {
    path: '/api/sandbox/faults',
    summary: 'Make requests to a simulated platform fail',
    needs: 'editor',
    body: z.strictObject({
      platform: z.string().min(1).max(50).describe('The platform, for example `discord`.'),
      kind: z.enum(FAULT_KINDS).describe('What fails.'),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).describe('Only requests with this method.').optional(),
      route: z.string().min(1).max(200).describe('Only requests whose path has this text.').optional(),
      status: z.int().min(200).max(599).describe('The status code, for `status`, `page` and `pageAfter`.').optional(),
      ms: z
        .int()
        .min(0)
        .max(3_600_000)
        .describe('The duration in milliseconds, for `rateLimit`, `delay` and `delayedVisibility`.')
        .optional(),
      times: z.int().min(1).max(10_000).describe('The number of requests; absent: until a person ends the fault.').optional(),
    }),
    answer: ['SandboxFaults', 'The open faults.'],
  },
  endSandboxFaults: {
    method: 'delete',
    path: '/api/sandbox/faults',
    summary: 'End the faults of a simulated platform',
    needs: 'editor',
    body: z.strictObject({ platform: z.string().min(1).max(50).describe('The platform; absent: all platforms.').optional() }),
    answer: ['SandboxFaults', 'The faults that are left.'],
  },
  moveSandboxClock: {
    path: '/api/sandbox/clock',
    summary: 'Move the clock of Fanfare and its sandbox',
    // It ends sessions and tokens early.
    needs: 'admin',
    body: z.strictObject({
      speed: z.number().min(1).max(60).describe('The speed relative to the real time, from 1 to 60; absent: unchanged.').optional(),
      forwardMs: z.int().min(0).max(604_800_000).describe('How far the clock jumps forward, in milliseconds; at most a week.').optional(),
    }),
    answer: ['SandboxClock', 'The clock.'],
  },
  ...SANDBOX_DISCORD_WRITES,
} as const satisfies Readonly<Record<string, SandboxWrite>>;

export type SandboxWriteName = keyof typeof SANDBOX_WRITES;

export function sandboxWriteRoute(name: SandboxWriteName) {
  const { method = 'post', path, summary, needs, body, answer }: SandboxWrite = SANDBOX_WRITES[name];
  return createRoute({
    method,
    path,
    operationId: name,
    summary,
    description: `${summary}. It needs the role \`${needs}\`.`,
    parameters: [KEY],
    request: { body: { required: true, content: { 'application/json': { schema: body } } } },
    responses: { 200: record(...answer), ...WRITE_PROBLEMS },
  });
}

/** All routes that only the API of a sandbox has. */
export const SANDBOX_ROUTES = [
  ...Object.values(SANDBOX_READS),
  ...(Object.keys(SANDBOX_WRITES) as SandboxWriteName[]).map(sandboxWriteRoute), // the keys of a record are its names
];
