import { withoutReferences } from './character-references.ts';
import { startTagsOf } from './start-tags.ts';

/** What a page says of itself to those who link to it. */
export interface PageHead {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The address of a picture, as it is written. */
  readonly image?: string | undefined;
}

/** What says it, the best first. */
const SAID_BY: Readonly<Record<keyof PageHead, readonly string[]>> = {
  title: ['og:title', 'twitter:title', '<title>'],
  description: ['og:description', 'twitter:description', 'description'],
  image: ['og:image', 'og:image:secure_url', 'og:image:url', 'twitter:image', 'twitter:image:src'],
};
const LOOKED_FOR = new Set(Object.values(SAID_BY).flat());
/** More is no title and no description. */
const MOST_CHARACTERS = 4_000;

/** What a page says of itself; of what it says twice the first. */
export function headOf(html: string): PageHead {
  const said = new Map<string, string>();
  const note = (key: string, written: string): void => {
    const text = LOOKED_FOR.has(key) && !said.has(key) ? cleaned(written) : '';
    if (text !== '') said.set(key, text);
  };
  for (const { name, attributes, text = '' } of startTagsOf(html)) {
    if (name === 'title') note('<title>', text);
    if (name !== 'meta') continue;
    for (const key of ['property', 'name']) note((attributes.get(key) ?? '').trim().toLowerCase(), attributes.get('content') ?? '');
  }
  const first = (of: keyof PageHead): string | undefined => SAID_BY[of].map((key) => said.get(key)).find((text) => text !== undefined);
  return { title: first('title'), description: first('description'), image: first('image') };
}

/** On one line, without what is not seen. */
function cleaned(written: string): string {
  return withoutReferences(written.slice(0, MOST_CHARACTERS))
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
