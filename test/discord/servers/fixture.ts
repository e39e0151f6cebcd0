import type { InteractionView } from '#sandbox/discord/control/interact.ts';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { vi } from 'vitest';
import { openApp, type AppFixture, type OpenAppOptions } from '../app-fixture.ts';

/** A server that a person created and to which the bot was invited. */
export interface NewServer {
  readonly id: string;
  readonly channels: Readonly<Record<string, string>>;
}

/** An installation that serves any server, with the actions of its people. */
export interface ServersFixture extends AsyncDisposable {
  readonly app: AppFixture;
  /** Creates a server and invites the bot. */
  invite(name: string, owner: string, preferredLocale?: string): Promise<NewServer>;
  /** Waits for the greeting of a server. */
  greeting(server: string): Promise<MessageView>;
  messages(server: string): Promise<readonly MessageView[]>;
  roles(server: string): Promise<Readonly<Record<string, string>>>;
}

interface Created {
  readonly guild: { readonly id: string };
  readonly channels: readonly { readonly id: string; readonly name: string }[];
}

export async function openServers(fanfare = 'discord: { servers: any }\n', options: OpenAppOptions = {}): Promise<ServersFixture> {
  const app = await openApp(fanfare, options);
  const messages: ServersFixture['messages'] = async (server) =>
    (await app.control<{ items: MessageView[] }>(`/messages?limit=1000&guild=${server}`)).items;
  return {
    app,
    messages,
    async invite(name, owner, preferredLocale = 'en-US') {
      const { guild, channels } = await app.control<Created>('/discord/servers', { name, owner, preferredLocale });
      return { id: guild.id, channels: Object.fromEntries(channels.map((channel) => [channel.name, channel.id])) };
    },
    greeting: (server) =>
      vi.waitFor(
        async () => {
          const [first] = await messages(server);
          if (!first) throw new Error(`no greeting: ${app.lines.slice(-20).join('')}`);
          return first;
        },
        { timeout: 240_000 },
      ),
    async roles(server) {
      const { roles } = await app.control<{ roles: { id: string; name: string }[] }>(`/discord?guild=${server}`);
      return Object.fromEntries(roles.map(({ id, name }) => [name, id]));
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** The texts of all components of a message, with the labels of its buttons in brackets. */
export function shownIn({ message }: Pick<InteractionView, 'message'>): string {
  return message ? textsIn(message.components).join('\n') : '';
}

/** The texts of components, with the labels of buttons in brackets. */
export function textsIn(components: unknown): readonly string[] {
  if (Array.isArray(components)) return components.flatMap(textsIn);
  if (typeof components !== 'object' || components === null) return [];
  const { content, label, components: inner, accessory } = components as Record<string, unknown>; // a component of the sandbox
  return [
    ...(typeof content === 'string' ? [content] : []),
    ...(typeof label === 'string' ? [`[${label}]`] : []),
    ...textsIn(inner),
    ...textsIn(accessory),
  ];
}

/** The id of the answer. */
export function idOf({ message, error }: InteractionView): string {
  if (!message) throw new Error(`there is no answer: ${error ?? 'none'}`);
  return message.id;
}
