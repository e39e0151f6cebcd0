import { z } from 'zod';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { ignoreFaults } from '#src/http/errors.ts';
import { type MastodonApi, MOST } from '../client.ts';
import { missing } from '../errors.ts';
import { rowsOf } from '../wire/parts.ts';
import { StatusRow, toPost } from '../wire/status.ts';

const READ = 'read:statuses';
const Found = z.object({ statuses: rowsOf(StatusRow, { isRequired: true }) });

/** Statuses by id or address. */
export interface Statuses {
  find(idOrUrl: string, signal: AbortSignal | undefined): Promise<StatusRow>;
  /** The id of a status by its id or address. */
  idOf(idOrUrl: string, signal: AbortSignal | undefined): Promise<string>;
  /** One page of a timeline. */
  page(
    path: string,
    query: Query,
    options: PageOptions & { readonly scope?: string },
  ): Promise<Page<Post> & { readonly rows: readonly StatusRow[] }>;
}

export function statuses(api: MastodonApi): Statuses {
  async function byId(id: string, signal: AbortSignal | undefined): Promise<StatusRow> {
    return (await api.send({ path: `/api/v1/statuses/${encodeURIComponent(id)}`, scope: READ, signal })).json(StatusRow);
  }

  async function byUrl(url: string, signal: AbortSignal | undefined): Promise<StatusRow> {
    const last = new URL(url).pathname.split('/').at(-1) ?? '';
    const isHere = URL.parse(url)?.host === api.domain;
    const known = isHere && last !== '' ? await ignoreFaults(byId(last, signal), 'missing', 'rejected') : undefined;
    if (known) return known;
    const query = { q: url, type: 'statuses', resolve: true, limit: 1 };
    const response = await api.send({ path: '/api/v2/search', query, scope: 'read:search', signal });
    const [found] = response.json(Found).statuses;
    // If a server cannot fetch the address, it may search for its text.
    const isAbout = found && found.url !== url && found.uri !== url && found.content.includes(url);
    if (!found || isAbout) throw missing(`post at ${url} that this server knows or could fetch`);
    return found;
  }

  const find: Statuses['find'] = (idOrUrl, signal) => (isAddress(idOrUrl) ? byUrl(idOrUrl, signal) : byId(idOrUrl, signal));

  return {
    find,
    idOf: async (idOrUrl, signal) => (isAddress(idOrUrl) ? (await byUrl(idOrUrl, signal)).id : idOrUrl),

    async page(path, query, { scope = READ, ...options }) {
      const { rows, partialErrors, cursor, fetchedAt } = await api.page(
        { path, query: { limit: MOST.statuses, ...query }, scope },
        StatusRow,
        options,
      );
      return { rows, items: rows.map((row) => toPost(row, fetchedAt)), partialErrors, cursor };
    },
  };
}

function isAddress(idOrUrl: string): boolean {
  return /^https?:\/\//iu.test(idOrUrl) && URL.canParse(idOrUrl);
}
