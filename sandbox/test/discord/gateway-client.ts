import { once } from 'node:events';
import { vi } from 'vitest';
import { WebSocket } from 'ws';
import type { DiscordSandbox } from '../../../test/support/discord-sandbox.ts';

interface Payload {
  readonly op: number;
  readonly t: string | null;
  readonly s: number | null;
  readonly d: unknown;
}

export const GUILDS_AND_MESSAGES = (1 << 0) | (1 << 9);

/** A WebSocket client that records all payloads. */
export async function connect(discord: DiscordSandbox) {
  const { url } = (await (await discord.request('GET', '/gateway/bot')).json()) as { url: string }; // as documented
  const socket = new WebSocket(`${url}?v=10&encoding=json&compress=zlib-stream`);
  const received: Payload[] = [];
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString())));
  await once(socket, 'open');
  return {
    received,
    send: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })),
    sendText: (text: string) => socket.send(text),
    closed: once(socket, 'close').then(([code]: number[]) => code),
    drop: () => socket.terminate(),
    leave: () => socket.close(1000),
    until: (found: (payload: Payload) => boolean) => vi.waitUntil(() => received.find(found), { timeout: 240_000 }),
  };
}

/** A client with a session of the first shard. */
export async function identify(discord: DiscordSandbox) {
  const client = await connect(discord);
  client.send(2, { token: discord.token, intents: GUILDS_AND_MESSAGES, properties: {} });
  const ready = await client.until(({ t }) => t === 'READY');
  await client.until(({ t }) => t === 'GUILD_CREATE');
  const { session_id: sessionId } = ready.d as { session_id: string }; // as documented
  return { ...client, sessionId };
}

export const writeMessage = (discord: DiscordSandbox, content: string) =>
  discord.order('/discord/messages', { user: discord.people[2], channel: 'general', content });
