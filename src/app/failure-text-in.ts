import type { PostActionParts } from '#src/admin/actions/post-actions.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import { failureText } from '#src/discord/posting/failure-text.ts';
import type { Store } from '#src/store/store.ts';

/** Makes the failure notice of a post in the language of its server. */
export function failureTextIn({ servers }: Pick<Store, 'servers'>): PostActionParts['failureText'] {
  return async (content, { by, server }) => {
    const { language, locale = 'en' } = (await servers.find(server)) ?? {};
    return failureText(content, by.id, textsFor(language ?? locale));
  };
}
