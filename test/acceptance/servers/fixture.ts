import { vi } from 'vitest';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { type AppFixture, openApp, type OpenAppOptions } from '../../discord/app-fixture.ts';
import type { InteractionView } from '../../support/discord-sandbox.ts';

/** The server of the environment, and the one that `fanfare.yaml` adds. */
export const FIRST = 'Fanfare Sandbox';
export const BERLIN = 'Berlin Sandbox';

const BERLIN_ID = '1202584131997794305';

interface Described {
  readonly guild: { readonly id: string };
  readonly members: readonly { readonly username: string; readonly bot: boolean }[];
  readonly roles: readonly { readonly id: string; readonly name: string }[];
}

/** People by their role in each server. */
interface People {
  /** Owns the first server and has no role in Berlin. */
  readonly firstOwner: string;
  /** Moderates the first server and has no role in Berlin. */
  readonly firstModerator: string;
  /** Owns Berlin and has no role in the first server. */
  readonly berlinOwner: string;
  /** Moderates Berlin and has no role in the first server. */
  readonly berlinModerator: string;
}

export interface ServersFixture extends AppFixture {
  readonly who: People;
  /** Uses a command in `#general` of a server. */
  command(guild: string, user: string, command: string, options?: object): Promise<InteractionView>;
  /** The messages in a channel of a server. */
  messagesIn(guild: string, channel: string): Promise<readonly MessageView[]>;
  /** Waits for a condition. */
  until<T>(what: () => Promise<T | undefined | false>): Promise<T>;
}

export interface OpenServersOptions extends OpenAppOptions {
  /** More lines of `fanfare.yaml`. */
  readonly more?: string;
}

/** Fanfare in two servers of the sandbox with different time zones. */
export async function openServers({ more = '', ...options }: OpenServersOptions = {}): Promise<ServersFixture> {
  const fanfare = `
accounts:
  berlin: { platform: discord, server: '${BERLIN_ID}', zone: Europe/Berlin }
defaults: { streaming: twitch }
${more}
`;
  const app = await openApp(fanfare, options);
  const peopleOf = async (guild: string): Promise<readonly string[]> => {
    const { members } = await app.control<Described>(`/discord?guild=${encodeURIComponent(guild)}`);
    return members.filter(({ bot }) => !bot).map(({ username }) => username);
  };
  const [firstOwner = '', firstModerator = ''] = await peopleOf(FIRST);
  const [berlinOwner = '', berlinModerator = ''] = await peopleOf(BERLIN);

  return {
    ...app,
    get url() {
      return app.url;
    },
    who: { firstOwner, firstModerator, berlinOwner, berlinModerator },
    command: (guild, user, command, options = {}) => app.interact({ guild, user, channel: 'general', command, options, forged: true }),
    messagesIn: async (guild, channel) =>
      (await app.control<{ items: readonly MessageView[] }>(`/messages?guild=${encodeURIComponent(guild)}&channel=${channel}`)).items,
    until: (what) =>
      vi.waitFor(
        async () => {
          const found = await what();
          if (!found) throw new Error(app.lines.slice(-20).join(''));
          return found;
        },
        { timeout: 240_000, interval: 100 },
      ),
  };
}

/** All texts of an answer. */
export function contentsIn({ message, followUps }: InteractionView): string {
  const all = [message, ...followUps].flatMap((each) => each ?? []);
  return all.map(({ content, embeds }) => `${content} ${JSON.stringify(embeds)}`).join('\n');
}

/** The custom ids of the buttons below a message. */
export function idsBelow({ components }: Pick<MessageView, 'components'>): readonly string[] {
  return [...JSON.stringify(components).matchAll(/"custom_id":"([^"]+)"/g)].flatMap(([, id]) => id ?? []);
}
