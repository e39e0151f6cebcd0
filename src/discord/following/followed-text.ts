import type { FollowedMistake } from '#src/rules/people/followed-fields.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';

/** What is wrong with a field of a followed streamer, and what to write. */
export function followedText({ kind, field, found }: FollowedMistake, { following }: Pick<Texts, 'following'>): string {
  if (kind === 'wrongColor') return following.wrongColor;
  return kind === 'unknownPlaceholder' ? following.unknownPlaceholder(escaped(found, 40)) : following[kind](field);
}
