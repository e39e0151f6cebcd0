import { z } from 'zod';
import type { Sandbox } from '#sandbox/index.ts';
import { controlApi } from '../support/control-api.ts';

const Posts = z.object({
  items: z.array(z.object({ id: z.string(), text: z.string(), createdAt: z.string(), replyTo: z.string().optional() })),
});
const Messages = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      at: z.string(),
      embeds: z.array(
        z.object({
          title: z.string().optional(),
          description: z.string().optional(),
          fields: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
        }),
      ),
      channel: z.object({ name: z.string().optional() }),
      history: z.array(z.object({ content: z.string() })),
      pinged: z.object({ everyone: z.boolean(), roles: z.array(z.string()), users: z.array(z.string()) }),
    }),
  ),
});
const Requests = z.object({
  items: z.array(z.object({ method: z.string(), route: z.string(), count: z.number() })),
});

/** The posts, messages and requests that the sandbox received. */
export interface SandboxTruth {
  /** All posts of the accounts of the installation, oldest first. */
  posts(): Promise<z.output<typeof Posts>['items']>;
  /** The messages of one channel or of all channels. */
  messages(channel?: string): Promise<z.output<typeof Messages>['items']>;
  /** The number of requests to routes of a platform that contain a text, such as `/commands`. */
  requests(platform: string, method: string, part: string): Promise<number>;
  /** Sends a request to the control API. */
  control(path: string, order?: object): Promise<unknown>;
}

/** Reads the control API of a sandbox. */
export function truthOf({ url }: Sandbox): SandboxTruth {
  const control = controlApi(url);
  return {
    posts: async () => Posts.parse(await control('/posts')).items,
    messages: async (channel) =>
      Messages.parse(await control(`/messages?limit=1000${channel === undefined ? '' : `&channel=${channel}`}`)).items,
    async requests(platform, method, part) {
      const { items } = Requests.parse(await control(`/requests?platform=${platform}`));
      return items.filter((item) => item.method === method && item.route.includes(part)).reduce((sum, { count }) => sum + count, 0);
    },
    control,
  };
}
