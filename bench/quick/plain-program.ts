import type { DatabaseSync } from 'node:sqlite';
import { request } from 'undici';
import { z } from 'zod';
import { GAME } from '../job/report.ts';

const TAKEN = 5;

const Token = z.object({ access_token: z.string() });
const Games = z.object({ data: z.tuple([z.object({ id: z.string() })]) });
const Streams = z.object({
  data: z.array(
    z.object({ id: z.string(), user_login: z.string(), user_name: z.string(), viewer_count: z.int(), started_at: z.coerce.date() }),
  ),
});

/**
 * The job of `bench/job` without a rule language: it reads the list, keeps it in an empty SQLite database, and posts what is new. Returns a function that
 * polls so many times. Its work is of the same kind as that of the engine, so a busy machine slows both down alike.
 */
export async function plainProgram(
  database: DatabaseSync,
  environment: Readonly<Record<string, string>>,
): Promise<(count: number) => Promise<void>> {
  const of = (name: string): string => environment[name] ?? '';
  database.exec(
    'pragma journal_mode = wal; create table poll (n integer primary key, body text); create table sent (id text primary key, body text)',
  );
  const [addPoll, addSent] = [
    database.prepare('insert into poll (body) values (?)'),
    database.prepare('insert into sent (id, body) values (?, ?) on conflict do nothing'),
  ];
  const credentials = new URLSearchParams({ client_id: of('TWITCH_CLIENT_ID'), client_secret: of('TWITCH_CLIENT_SECRET') });
  const tokenUrl = `${of('TWITCH_AUTH_URL')}/token?${credentials.toString()}&grant_type=client_credentials`;
  const { access_token: token } = Token.parse(await answerOf(tokenUrl, { method: 'POST' }));
  const headers = { 'client-id': of('TWITCH_CLIENT_ID'), authorization: `Bearer ${token}` };
  const { data } = Games.parse(await answerOf(`${of('TWITCH_API_URL')}/games?name=${GAME}`, { headers }));
  const url = `${of('TWITCH_API_URL')}/streams?game_id=${data[0].id}&first=100`;

  async function poll(): Promise<void> {
    const { data: streams } = Streams.parse(await answerOf(url, { headers }));
    const top = streams.slice(0, TAKEN);
    addPoll.run(JSON.stringify(top));
    for (const [index, stream] of top.entries()) {
      if (addSent.run(stream.id, JSON.stringify(stream)).changes === 0) continue;
      const text = `${stream.user_name} is #${index + 1} with ${stream.viewer_count} viewers https://www.twitch.tv/${stream.user_login}`;
      await answerOf(`${of('SANDBOX_URL')}/createPost`, {
        method: 'POST',
        headers: { authorization: `Bearer ${of('SANDBOX_TOKEN')}`, 'content-type': 'application/json' },
        body: JSON.stringify({ params: { text } }),
      });
    }
  }

  return async (count) => {
    for (let index = 0; index < count; index++) await poll();
  };
}

async function answerOf(url: string, options: Parameters<typeof request>[1]): Promise<unknown> {
  const { statusCode, body } = await request(url, options);
  const answer: unknown = await body.json();
  if (statusCode >= 300) throw new Error(`${url} answered ${statusCode}: ${JSON.stringify(answer)}`);
  return answer;
}
