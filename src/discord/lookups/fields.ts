import type { AnyClient } from '#src/operation/client.ts';
import type { Title, Words } from '../language/words.ts';
import { titleOf, type Accounts } from './accounts.ts';
import { languageOf, languageSuggestions } from './languages.ts';
import type { Lookups } from './lookups.ts';
import { nameIn } from './typed.ts';
import type { Field, FieldChoice } from './view.ts';

/** How many choices Discord lets an option have. */
const MOST_CHOICES = 25;

/** The account that is asked; nobody is asked for it where there is one alone. */
export function accountField<C extends AnyClient>(accounts: Accounts<C>, offered: 'choices' | 'suggestions' = 'choices'): readonly Field[] {
  if (accounts.size < 2) return [];
  const title = ({ lookups }: Words): Title => lookups.options.account;
  const all = [...accounts.keys()].map((value) => ({ value, name: titleOf(value) }));
  if (offered === 'choices' && all.length <= MOST_CHOICES)
    return [{ title, choices: all.map(({ value, name }) => ({ value, name: () => name })) }];
  return [{ title, suggest: async (typed) => all.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase())) }];
}

/** The channel that is looked at. */
export function channelField({ suggest }: Lookups, title = ({ lookups }: Words): Title => lookups.options.channel): Field {
  return { title, required: true, parse: nameIn, suggest: suggest.channels };
}

/** The game that is looked at. */
export function gameField({ suggest }: Lookups): Field {
  return { title: ({ lookups }) => lookups.options.game, required: true, suggest: suggest.games };
}

/** The person of a social platform that is looked at. */
export function personField({ suggest }: Lookups): Field {
  return { title: ({ lookups }) => lookups.options.person, required: true, parse: nameIn, suggest: suggest.people };
}

/** The order of a list, where there is more than one. */
export function sortField(choices: readonly FieldChoice[]): readonly Field[] {
  return choices.length < 2 ? [] : [{ title: ({ lookups }) => lookups.options.sort, choices }];
}

/** The language of what is listed: there are more than Discord shows as choices. */
export const languageField: Field = {
  title: ({ lookups }) => lookups.options.language,
  parse: languageOf,
  suggest: async (typed, _given, asker) => languageSuggestions(typed, asker),
};

/** The tags, one of which is wanted. */
export const tagsField: Field = { title: ({ lookups }) => lookups.options.tags };
