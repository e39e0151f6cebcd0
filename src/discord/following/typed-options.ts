import type { ChatInputCommandInteraction } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { Caller } from '#src/discord/caller.ts';
import { en } from '#src/discord/language/en/index.ts';
import { shown } from './followed-list.ts';

const { options: OPTIONS } = en.following;

/** The words of a filter; null if `*` removes it, undefined without the option. */
export function onlyIn({ options }: ChatInputCommandInteraction, { texts: { following } }: Caller): string | null | undefined {
  const typed = options.getString(OPTIONS.only.name)?.trim();
  if (typed === undefined || typed === '*') return typed && null;
  const words = typed.split(',').map((word) => word.trim());
  // Every text contains an empty word.
  const only = words.filter((word) => word !== '').join(', ');
  if (only === '') throw new UserError(following.noWords);
  return only;
}

/** The id of the chosen member. Discord also takes the id of a user who is not in the server. */
export function memberIn({ options }: ChatInputCommandInteraction, { texts: { following } }: Caller): string | undefined {
  const user = options.getUser(OPTIONS.member.name);
  if (user && !options.getMember(OPTIONS.member.name)) throw new UserError(following.notMember(shown(user.displayName)));
  return user?.id;
}
