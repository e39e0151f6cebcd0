// Reads the top streams with one of the clients and reports times and memory to its parent process.

const [, , client, pages = '1', walks = '1', warmUpPages = '1000'] = process.argv;
const { TWITCH_CLIENT_ID: clientId = '', TWITCH_CLIENT_SECRET: clientSecret = '', TWITCH_API_URL, TWITCH_AUTH_URL } = process.env;
/** A response of Twitch. */
interface Page {
  readonly data: readonly {
    readonly title: string;
    readonly viewer_count: number;
    readonly started_at: string;
    readonly thumbnail_url: string;
  }[];
  readonly pagination: { readonly cursor?: string };
}

/** Reads the fields that rules use, because one client parses them at once and the other one lazily. Keeps all records in memory. */
const readers: Readonly<Record<string, () => Promise<(pages: number) => Promise<number>>>> = {
  async fanfare() {
    const { twitch } = await import('#adapters/twitch/index.ts');
    const { Bot } = await import('#src/clients/streaming/bot.ts');
    const bot = new Bot({ platform: twitch({ clientId, clientSecret, apiUrl: TWITCH_API_URL, authUrl: TWITCH_AUTH_URL }) });
    return async (count) => {
      const { items } = await bot.getTopStreams({ pages: count, waitTime: 0 });
      const matching = items.filter(
        ({ title, viewerCount, startedAt, thumbnailUrl }) => title && viewerCount >= 0 && startedAt && thumbnailUrl,
      );
      return matching.length;
    };
  },
  /** Only sends the requests and parses the responses, which no client can do without. */
  async least() {
    const { fetch, Pool } = await import('undici');
    const query = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' });
    const answer = await fetch(`${TWITCH_AUTH_URL}/token?${query.toString()}`, { method: 'POST' });
    const { access_token: token } = (await answer.json()) as { readonly access_token: string }; // the sandbox gives tokens
    const { origin, pathname } = new URL(TWITCH_API_URL ?? '');
    const pool = new Pool(origin);
    const headers = { 'client-id': clientId, authorization: `Bearer ${token}` };
    return async (count) => {
      const rows: Page['data'][number][] = [];
      for (let page = 0, after = ''; page < count; page++) {
        const { body } = await pool.request({ method: 'GET', path: `${pathname}/streams?first=100${after}`, headers });
        const { data, pagination } = JSON.parse(await body.text()) as Page; // the sandbox answers with pages
        for (const row of data) rows.push(row);
        after = `&after=${pagination.cursor}`;
      }
      return rows.filter(({ title, viewer_count, started_at, thumbnail_url }) => title && viewer_count >= 0 && started_at && thumbnail_url)
        .length;
    };
  },
  async twurple() {
    const { ApiClient } = await import('@twurple/api');
    const { AppTokenAuthProvider } = await import('@twurple/auth');
    const api = new ApiClient({ authProvider: new AppTokenAuthProvider(clientId, clientSecret), logger: { minLevel: 'error' } });
    return async (count) => {
      const request = api.streams.getStreamsPaginated();
      const items = [];
      for (let page = 0; page < count; page++) items.push(...(await request.getNext()));
      const matching = items.filter(
        (stream) => stream.title && stream.viewers >= 0 && stream.startDate && stream.getThumbnailUrl(1280, 720),
      );
      return matching.length;
    };
  },
};

const read = await readers[client ?? '']?.();
if (!read) throw new Error('fanfare, twurple or least?');
// Earlier pages would measure the compiler and the growth of the heap.
for (let warm = 0; warm < Number(warmUpPages); warm += Number(pages)) await read(Number(pages));
const startedMs = performance.now();
const cpuBefore = process.cpuUsage();
let rows = 0;
for (let walk = 0; walk < Number(walks); walk++) rows += await read(Number(pages));
const tookMs = performance.now() - startedMs;
const { user, system } = process.cpuUsage(cpuBefore);
process.send?.({ rows, tookMs, cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024 });
process.disconnect();
