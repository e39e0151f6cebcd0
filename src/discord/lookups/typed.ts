import { UserError } from '#src/errors.ts';
import type { Asker } from '../asker.ts';
import { escaped } from '../text/foreign-text.ts';

const MOST_TAGS = 10;

/** The name of a channel or a person, from the name itself or from its address. */
export function nameIn(typed: string, { words: { lookups } }: Pick<Asker, 'words'>): string {
  const name = inAddress(typed.trim()).replace(/^@/u, '');
  if (name === '') throw new UserError(lookups.nameNeeded);
  return name;
}

/** Tags with commas between them. */
export function tagsIn(typed: string | undefined): readonly string[] {
  const tags = (typed ?? '').split(',').map((tag) => tag.trim().replace(/^#/u, ''));
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, MOST_TAGS);
}

/** A name that somebody typed or a platform has, in bold. */
export function bold(name: string): string {
  return `**${escaped(name, 100) || '?'}**`;
}

function inAddress(typed: string): string {
  if (!/^https?:\/\//iu.test(typed) || !URL.canParse(typed)) return typed;
  return new URL(typed).pathname.split('/').find((part) => part !== '') ?? '';
}
