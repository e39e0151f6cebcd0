import { z } from 'zod';
import { UnsupportedParameter } from '#src/errors.ts';
import { cachedByName } from '#src/http/cache.ts';
import type { Language } from '#src/clients/social/enumerations.ts';
import type { PostHistory } from '#src/clients/social/records/insight.ts';
import { ignoreFaults, isFault } from '#src/http/errors.ts';
import type { AccountContext, Primitives } from '../account-context.ts';
import { rejected } from '../errors.ts';
import { textOfHtml } from '../text/html.ts';
import { withWarning } from '../text/warning.ts';
import { MediaRow } from '../wire/media.ts';
import { filled, instant, PLATFORM, rowsOf, text } from '../wire/parts.ts';
import { type StatusRow, toPost } from '../wire/status.ts';
import { unsupportedByServer } from './users.ts';

type Insights = Pick<Primitives, 'getPostAnalytics' | 'translatePost' | 'postEditHistory'>;

const TranslationRow = z.object({ content: text, spoiler_text: text, detected_source_language: filled, provider: filled });
const EditRow = z.object({ content: text, spoiler_text: text, created_at: instant, media_attachments: rowsOf(MediaRow) });
const Targets = z.record(z.string(), rowsOf(z.string()));

/** Other codes of languages, best first. */
const OTHER_NAMES: Partial<Record<Language, readonly string[]>> = {
  'ar-x-fm': ['ar'],
  'en-gb': ['en-GB', 'en'],
  fil: ['fil', 'tl'],
  msa: ['ms'],
  no: ['nb', 'no'],
  pt: ['pt', 'pt-PT', 'pt-BR'],
  'zh-cn': ['zh-CN', 'zh-Hans', 'zh'],
  'zh-tw': ['zh-TW', 'zh-Hant', 'zh'],
};

/** Metrics, translations and the history of posts. */
export function insightOperations({ api, accounts, instances, statuses, clock }: AccountContext): Insights {
  const pathOf = (id: string, what: string): string => `/api/v1/statuses/${encodeURIComponent(id)}/${what}`;

  /** The target languages of the server; undefined if it does not state them. */
  const targets = cachedByName(clock, async (_, signal) => {
    const languages = api.send({ path: '/api/v1/instance/translation_languages', signal }).then((response) => response.json(Targets));
    const byLanguage = await ignoreFaults(languages, 'missing', 'rejected', 'malformed');
    return byLanguage && new Set(Object.values(byLanguage).flat());
  });

  async function target(language: Language, signal: AbortSignal | undefined): Promise<string> {
    const names = OTHER_NAMES[language] ?? [language];
    const known = await targets('', signal);
    if (!known || known.size === 0) return names.find((name) => name.length === 2) ?? language;
    const byName = new Map([...known].map((name) => [name.toLowerCase(), name]));
    const found = names.flatMap((name) => byName.get(name.toLowerCase()) ?? [])[0];
    if (found !== undefined) return found;
    throw new UnsupportedParameter({
      platform: PLATFORM,
      operation: 'translatePost',
      parameter: 'language',
      value: language,
      reason: 'SERVER_DISABLED',
      detail: 'The server translates only into other languages.',
      alternatives: [...known].toSorted(),
    });
  }

  return {
    async getPostAnalytics({ post }, { signal }) {
      const row = await statuses.find(post, signal);
      if (row.account.id !== (await accounts.myId(signal))) throw rejected('only the author of a post can read its statistics.');
      const { id: postId, counts } = toPost(row, api.now());
      return { postId, ...counts, completeness: 'public_only', fetchedAt: api.now() };
    },

    async translatePost({ post, language }, { signal }) {
      const { translates, domain } = await instances.current(signal);
      if (translates === false) throw unsupportedByServer('translatePost', `${domain} does not translate.`);
      const id = await statuses.idOf(post, signal);
      const lang = await target(language, signal);
      try {
        const request = { method: 'POST', path: pathOf(id, 'translate'), json: { lang }, scope: 'read:statuses', signal } as const;
        const {
          content,
          spoiler_text: warning,
          detected_source_language: source,
          provider,
        } = (await api.send(request)).json(TranslationRow);
        const translated = warnedText(content, warning);
        return { postId: id, text: translated, sourceLanguage: source, targetLanguage: language, provider: provider ?? PLATFORM };
      } catch (error) {
        // Either the route or the post does not exist.
        if (isFault(error, 'missing') && translates === undefined && (await ignoreFaults(statuses.find(id, signal), 'missing'))) {
          throw unsupportedByServer('translatePost', `${domain} does not translate.`);
        }
        throw isFault(error, 'forbidden') ? rejected('only public posts are translated, and only into other languages.', error) : error;
      }
    },

    async postEditHistory({ identifier }, { signal }) {
      const row = await statuses.find(identifier, signal);
      const response = await ignoreFaults(api.send({ path: pathOf(row.id, 'history'), scope: 'read:statuses', signal }), 'missing');
      const { visibility } = toPost(row, api.now());
      const versions = response?.json(rowsOf(EditRow)).map(toVersion) ?? [];
      if (versions.length > 0) return { postId: row.id, visibility, versions: byTime(versions), complete: isWhole(versions, row) };
      const only = toVersion({ ...row, created_at: row.edited_at ?? row.created_at });
      return { postId: row.id, visibility, versions: [only], complete: row.edited_at === undefined };
    },
  };
}

type Version = PostHistory['versions'][number];

function warnedText(content: string, warning: string): string {
  return withWarning({ text: textOfHtml(content), entities: [] }, warning.trim()).text;
}

function toVersion({ content, spoiler_text: warning, created_at, media_attachments }: z.output<typeof EditRow>): Version {
  return { text: warnedText(content, warning), createdAt: created_at, media: [...media_attachments] };
}

function byTime(versions: readonly Version[]): Version[] {
  return versions.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** Whether the history is complete: some servers keep only the last version. */
function isWhole(versions: readonly Version[], { edited_at }: StatusRow): boolean {
  return edited_at === undefined || versions.length > 1;
}
