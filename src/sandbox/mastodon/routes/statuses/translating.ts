import { toHtml } from '../../text/html.ts';
import { linksOf } from '../../entities/content.ts';
import { standingPoll } from '../../entities/poll.ts';
import { attachmentsOf } from '../../entities/media.ts';
import { requireOriginal } from '../../posts/finding.ts';
import { visibilityOf } from '../../posts/visibility.ts';
import { notAllowed, recordNotFound, refused } from '../../refusal.ts';
import { json } from '../../visit.ts';
import { anybody, nowhere, withToken, type Routes } from '../api.ts';

/** What the server translates from and into. */
const LANGUAGES = ['de', 'en', 'es', 'fr', 'ja', 'pt'];
const PROVIDER = 'Sandbox Translate';

/** `POST /api/v1/statuses/:id/translate`: where the server is set up for it. */
export function translatingRoutes(routes: Routes): void {
  routes.post(
    '/v1/statuses/:id/translate',
    withToken('read:statuses', (found, c) => {
      if (!found.ground.settings.features.hasTranslation) return nowhere(found.ground);
      const post = requireOriginal(c.req.param('id') ?? '', found);
      const { translation } = found.ground.settings.current;
      const target = (found.fields.text('lang') ?? found.viewer?.language ?? 'en').split('-')[0] ?? '';
      if (translation === 'off') throw recordNotFound();
      const isOpen = ['public', 'unlisted'].includes(visibilityOf(post, found.ground));
      if (!isOpen || !LANGUAGES.includes(target) || target === post.language) throw notAllowed();
      if (translation === 'down') throw refused('translationDown', { status: 503 });

      const say = (text: string): string => `[${target}] ${text}`;
      const poll = standingPoll(post, found.ground);
      const { spoilerText = '' } = found.ground.facts.find(post.id) ?? {};
      return json(found, {
        content: toHtml(say(post.text), linksOf(found.ground)),
        spoiler_text: spoilerText === '' ? '' : say(spoilerText),
        language: target,
        poll: poll ? { id: found.ground.ids.poll(post), options: poll.poll.options.map(({ label }) => ({ title: say(label) })) } : null,
        media_attachments: attachmentsOf(post, post.media, found.ground).map(({ id, description }) => ({
          id,
          description: typeof description === 'string' ? say(description) : null,
        })),
        detected_source_language: post.language,
        provider: PROVIDER,
      });
    }),
  );

  routes.get(
    '/v1/instance/translation_languages',
    anybody('read', (found) => {
      if (!found.ground.settings.features.hasTranslation) return nowhere(found.ground);
      return json(found, found.ground.settings.current.translation === 'off' ? {} : pairs());
    }),
  );
}

function pairs(): Record<string, string[]> {
  return Object.fromEntries(LANGUAGES.map((from) => [from, LANGUAGES.filter((to) => to !== from)]));
}
